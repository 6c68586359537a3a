package pickle_test

import (
	"errors"
	"testing"

	"github.com/statespec/statespec/equivalence/pickle"
)

// FuzzLoad holds for every content: it is refused at one of its bytes, or it is
// values of the kinds that there are.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01K\x01X\x01\x00\x00\x00b](G\x3f\xf8\x00\x00\x00\x00\x00\x00\x88Neu.",
		"\x80\x04\x95\x0a\x00\x00\x00\x00\x00\x00\x00\x8c\x06sphinx\x94.",
		"\x80\x02cm\nknown\nK\x01\x85R.", "\x80\x02}}X\x01\x00\x00\x00aNsb.", "\x80\x02]q\x00h\x00a.", "\x80\x02\x8b\x03\x00\x00\x00\x00\x00\x01.",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := pickle.Load(data, host{})
		if err != nil {
			if e, ok := errors.AsType[*pickle.Error](err); !ok || e.At < 0 || e.At > len(data) {
				t.Errorf("Load = %v, want an *Error at one of %d bytes", err, len(data))
			}
			return
		}
		switch v := v.(type) {
		case *pickle.Dict:
			if len(v.Keys) != len(v.Values) {
				t.Errorf("%d keys, %d values", len(v.Keys), len(v.Values))
			}
		case *pickle.List, pickle.Int, pickle.Float, pickle.Bool, pickle.Text, pickle.None, pickle.Global:
		default:
			t.Errorf("Load = %T, which is no kind of value", v)
		}
	})
}
