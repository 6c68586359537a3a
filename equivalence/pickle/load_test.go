package pickle_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/statespec/statespec/equivalence/pickle"
)

// host knows one global, whose call is its arguments.
type host struct{}

var known = pickle.Global{Module: "m", Name: "known"}

func (host) Global(g pickle.Global) error {
	if g != known {
		return fmt.Errorf("%v is not known", g)
	}
	return nil
}

func (host) Call(_ pickle.Global, args []pickle.Value) (pickle.Value, error) {
	return &pickle.List{Items: args, Tuple: true}, nil
}

func (host) Persistent(id pickle.Value) (pickle.Value, error) {
	return nil, fmt.Errorf("nothing is persistent")
}

func TestDataAreReadAsPythonMeansThem(t *testing.T) {
	tuple := func(items ...pickle.Value) pickle.Value { return &pickle.List{Items: items, Tuple: true} }
	for name, row := range map[string]struct {
		pickle string
		want   pickle.Value
	}{
		"protocol 2":              {"\x80\x02N.", pickle.None{}},
		"protocol 4, framed":      {"\x80\x04\x95\x0a\x00\x00\x00\x00\x00\x00\x00\x8c\x06sphinx\x94.", pickle.Text("sphinx")},
		"truths":                  {"\x80\x02\x88\x89\x86.", tuple(pickle.Bool(true), pickle.Bool(false))},
		"small numbers":           {"\x80\x02K\xffM\xff\xffJ\xff\xff\xff\xff\x87.", tuple(pickle.Int("255"), pickle.Int("65535"), pickle.Int("-1"))},
		"long numbers":            {"\x80\x02\x8a\x00\x8a\x02\x00\x80\x8b\x03\x00\x00\x00\x00\x00\x01\x87.", tuple(pickle.Int("0"), pickle.Int("-32768"), pickle.Int("65536"))},
		"floats":                  {"\x80\x02G\x3f\xf8\x00\x00\x00\x00\x00\x00.", pickle.Float(1.5)},
		"texts":                   {"\x80\x02X\x02\x00\x00\x00\xc3\xa9\x8d\x01\x00\x00\x00\x00\x00\x00\x00x\x86.", tuple(pickle.Text("é"), pickle.Text("x"))},
		"lists":                   {"\x80\x02](K\x01K\x02eK\x03a.", &pickle.List{Items: []pickle.Value{pickle.Int("1"), pickle.Int("2"), pickle.Int("3")}}},
		"tuples":                  {"\x80\x02)K\x01\x85(t\x87.", tuple(tuple(), tuple(pickle.Int("1")), tuple())},
		"what was kept":           {"\x80\x02K\x07q\x00r\x01\x00\x00\x00h\x00j\x01\x00\x00\x00\x87.", tuple(pickle.Int("7"), pickle.Int("7"), pickle.Int("7"))},
		"what was passed over":    {"\x80\x02K\x07N0.", pickle.Int("7")},
		"a known global":          {"\x80\x02cm\nknown\nK\x01\x85R.", tuple(pickle.Int("1"))},
		"a global from the stack": {"\x80\x04\x8c\x01m\x8c\x05known\x93.", known},
		"dictionaries": {"\x80\x02}(K\x01NX\x01\x00\x00\x00a\x88u\x89Ns.", &pickle.Dict{
			Keys: []pickle.Value{pickle.Int("1"), pickle.Text("a"), pickle.Bool(false)}, Values: []pickle.Value{pickle.None{}, pickle.Bool(true), pickle.None{}}}},
		"attributes": {"\x80\x02}}X\x01\x00\x00\x00aNsb.", &pickle.Dict{Attributes: &pickle.Dict{Keys: []pickle.Value{pickle.Text("a")}, Values: []pickle.Value{pickle.None{}}}}},
	} {
		got, err := pickle.Load([]byte(row.pickle), host{})
		if err != nil {
			t.Errorf("%s: Load = %v", name, err)
			continue
		}
		if diff := cmp.Diff(row.want, got, cmpopts.IgnoreUnexported(pickle.Dict{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: Load, -want +got:\n%s", name, diff)
		}
	}
}

func TestANegativeZeroStaysOne(t *testing.T) {
	got, err := pickle.Load([]byte("\x80\x02G\x80\x00\x00\x00\x00\x00\x00\x00."), host{})
	if f, ok := got.(pickle.Float); err != nil || !ok || !math.Signbit(float64(f)) {
		t.Errorf("Load = %v, %v, want -0", got, err)
	}
}

func TestWhatIsNoDataIsRefusedWithItsPlace(t *testing.T) {
	for says, text := range map[string]string{
		"at byte 0: the pickle ends":                    "",
		"at byte 2: the pickle ends":                    "\x80\x02",
		"at byte 0: PROTO: protocol 1":                  "\x80\x01N.",
		"at byte 1: PROTO: protocol 2":                  "N\x80\x02.",
		"STOP: 0 values":                                "\x80\x02.",
		"STOP: 2 values":                                "\x80\x02NN.",
		"1 marks":                                       "\x80\x02N(.",
		"STOP: 1 bytes after the end":                   "\x80\x02N.N",
		"the stack is empty":                            "\x80\x020.",
		"APPEND: the stack is empty":                    "\x80\x02]N(a.",
		"there is no mark":                              "\x80\x02]e.",
		"BINUNICODE: 4294967295 bytes claimed":          "\x80\x02X\xff\xff\xff\xffa.",
		"BINUNICODE8: 18446744073709551615":             "\x80\x02\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.",
		"FRAME: 16777216 bytes claimed":                 "\x80\x04\x95\x00\x00\x00\x01\x00\x00\x00\x00N.",
		"LONG4: a number of 4294967295":                 "\x80\x02\x8b\xff\xff\xff\xffa.",
		"BINFLOAT: 8 bytes claimed":                     "\x80\x02G\x00.",
		"nothing was kept as 3":                         "\x80\x02h\x03.",
		"a tuple, want a list to append to":             "\x80\x02)Na.",
		"want pairs":                                    "\x80\x02}(Nu.",
		"a list as a key":                               "\x80\x02}]Ns.",
		"the number 1 as a key":                         "\x80\x02}(K\x01NK\x01Nu.",
		"GLOBAL: os.system is not known":                "\x80\x02cos\nsystem\n.",
		"GLOBAL: a name without an end":                 "\x80\x02cos.",
		"no UTF-8":                                      "\x80\x02c\xff\nx\n.",
		"STACK_GLOBAL: None and None":                   "\x80\x04NN\x93.",
		"REDUCE: None called with a tuple":              "\x80\x02N)R.",
		"REDUCE: the global m.known called with a list": "\x80\x02cm\nknown\n]R.",
		"BUILD: state None for a list":                  "\x80\x02]Nb.",
		"BINPERSID: nothing is persistent":              "\x80\x02NQ.",
		"opcode 0x81 (NEWOBJ":                           "\x80\x02\x81.",
		"opcode 0x69 (INST: a call)":                    "(ios\nsystem\n.",
		"opcode 0x43 (SHORT_BINBYTES: bytes)":           "\x80\x03C\x01a.",
		"opcode 0xff, which":                            "\x80\x02\xff.",
	} {
		_, err := pickle.Load([]byte(text), host{})
		e, ok := errors.AsType[*pickle.Error](err)
		if !ok || !strings.Contains(err.Error(), says) || e.At > len(text) {
			t.Errorf("Load(%q) = %v, want an *Error that says %q", text, err, says)
		}
	}
}

func TestMoreContainersThanDataNeedAreRefused(t *testing.T) {
	_, err := pickle.Load([]byte("\x80\x02"+strings.Repeat("}", 2<<20)+"."), host{})
	if err == nil || !strings.Contains(err.Error(), "more than 1048576 containers") {
		t.Errorf("Load = %v, want a bound", err)
	}
}
