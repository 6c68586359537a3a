package pickle

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// An opcode is its name and what it does.
type opcode struct {
	name string
	do   func(*machine) error
}

const stop = '.'

// longestInt is the most bytes of a whole number; to print a longer one takes long.
const longestInt = 1024

var opcodes = map[byte]opcode{
	0x80: {"PROTO", func(m *machine) error {
		v, err := m.number(1)
		if err == nil && (v < 2 || v > 5 || m.op != 0) {
			err = m.wrong("protocol %d, want 2 to 5, at the start", v)
		}
		return err
	}},
	0x95: {"FRAME", func(m *machine) error {
		n, err := m.number(8)
		if err == nil && n > uint64(len(m.data)-m.at) {
			err = m.wrong("%d bytes claimed, %d left", n, len(m.data)-m.at)
		}
		return err
	}},
	stop: {"STOP", func(*machine) error { return nil }},

	'N':  {"NONE", func(m *machine) error { return m.push(None{}) }},
	0x88: {"NEWTRUE", func(m *machine) error { return m.push(Bool(true)) }},
	0x89: {"NEWFALSE", func(m *machine) error { return m.push(Bool(false)) }},

	'J': {"BININT", func(m *machine) error { return m.whole(4, func(n uint64) int64 { return int64(int32(n)) }) }},
	'K': {"BININT1", func(m *machine) error { return m.whole(1, func(n uint64) int64 { return int64(n) }) }},
	'M': {"BININT2", func(m *machine) error { return m.whole(2, func(n uint64) int64 { return int64(n) }) }},

	0x8a: {"LONG1", func(m *machine) error { return m.long(1) }},
	0x8b: {"LONG4", func(m *machine) error { return m.long(4) }},
	'G': {"BINFLOAT", func(m *machine) error {
		b, err := m.take(8)
		if err != nil {
			return err
		}
		return m.push(Float(math.Float64frombits(binary.BigEndian.Uint64(b))))
	}},
	0x8c: {"SHORT_BINUNICODE", func(m *machine) error { return m.text(1) }},
	'X':  {"BINUNICODE", func(m *machine) error { return m.text(4) }},
	0x8d: {"BINUNICODE8", func(m *machine) error { return m.text(8) }},

	'(': {"MARK", func(m *machine) error {
		m.marks = append(m.marks, len(m.stack))
		return nil
	}},
	'0': {"POP", func(m *machine) error {
		_, err := m.pop()
		return err
	}},

	'}':  {"EMPTY_DICT", func(m *machine) error { return m.container(NewDict()) }},
	']':  {"EMPTY_LIST", func(m *machine) error { return m.container(&List{}) }},
	')':  {"EMPTY_TUPLE", func(m *machine) error { return m.container(&List{Tuple: true}) }},
	0x85: {"TUPLE1", func(m *machine) error { return m.tuple(1) }},
	0x86: {"TUPLE2", func(m *machine) error { return m.tuple(2) }},
	0x87: {"TUPLE3", func(m *machine) error { return m.tuple(3) }},
	't': {"TUPLE", func(m *machine) error {
		items, err := m.popMark()
		if err != nil {
			return err
		}
		return m.container(&List{items, true})
	}},
	'a': {"APPEND", func(m *machine) error {
		v, err := m.pop()
		if err != nil {
			return err
		}
		return m.extend([]Value{v})
	}},
	'e': {"APPENDS", func(m *machine) error {
		items, err := m.popMark()
		if err != nil {
			return err
		}
		return m.extend(items)
	}},
	's': {"SETITEM", func(m *machine) error {
		v, err := m.pop()
		if err != nil {
			return err
		}
		k, err := m.pop()
		if err != nil {
			return err
		}
		return m.fill([]Value{k, v})
	}},
	'u': {"SETITEMS", func(m *machine) error {
		items, err := m.popMark()
		if err != nil {
			return err
		}
		return m.fill(items)
	}},

	'q':  {"BINPUT", func(m *machine) error { return m.put(1) }},
	'r':  {"LONG_BINPUT", func(m *machine) error { return m.put(4) }},
	0x94: {"MEMOIZE", func(m *machine) error { return m.remember(uint64(len(m.memo))) }},
	'h':  {"BINGET", func(m *machine) error { return m.get(1) }},
	'j':  {"LONG_BINGET", func(m *machine) error { return m.get(4) }},

	'c':  {"GLOBAL", (*machine).global},
	0x93: {"STACK_GLOBAL", (*machine).stackGlobal},
	'R':  {"REDUCE", (*machine).reduce},
	'b':  {"BUILD", (*machine).build},
	'Q': {"BINPERSID", func(m *machine) error {
		id, err := m.pop()
		if err != nil {
			return err
		}
		v, err := m.host.Persistent(id)
		if err != nil {
			return err
		}
		return m.push(v)
	}},
}

// refused names opcodes that a person may meet, and why they are not read.
var refused = map[byte]string{
	'i': " (INST: a call)", 'o': " (OBJ: a call)", 0x81: " (NEWOBJ: an instance of a class)", 0x92: " (NEWOBJ_EX: an instance of a class)",
	0x82: " (EXT1: a registered extension)", 0x83: " (EXT2: a registered extension)", 0x84: " (EXT4: a registered extension)",
	'P': " (PERSID: of protocol 0)", 'S': " (STRING: of protocol 0)", 'I': " (INT: of protocol 0)", 'F': " (FLOAT: of protocol 0)",
	'B': " (BINBYTES: bytes)", 'C': " (SHORT_BINBYTES: bytes)", 0x8e: " (BINBYTES8: bytes)", 0x96: " (BYTEARRAY8: bytes)",
	0x8f: " (EMPTY_SET: a set has no order)", 0x91: " (FROZENSET: a set has no order)",
}

func (m *machine) whole(bytes int, signed func(uint64) int64) error {
	n, err := m.number(bytes)
	if err != nil {
		return err
	}
	return m.push(Int(strconv.FormatInt(signed(n), 10)))
}

// long reads a two's complement number of any size.
func (m *machine) long(bytes int) error {
	n, err := m.number(bytes)
	if err == nil && n > longestInt {
		err = m.wrong("a number of %d bytes, want at most %d", n, longestInt)
	}
	if err != nil {
		return err
	}
	b, err := m.take(n)
	if err != nil {
		return err
	}
	big1 := slices.Clone(b)
	slices.Reverse(big1)
	v := new(big.Int).SetBytes(big1)
	if len(big1) > 0 && big1[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(big1))))
	}
	return m.push(Int(v.String()))
}

func (m *machine) text(bytes int) error {
	n, err := m.number(bytes)
	if err != nil {
		return err
	}
	b, err := m.take(n)
	if err != nil {
		return err
	}
	return m.push(Text(b))
}

func (m *machine) tuple(n int) error {
	items := make([]Value, n)
	for i := n - 1; i >= 0; i-- {
		var err error
		if items[i], err = m.pop(); err != nil {
			return err
		}
	}
	return m.container(&List{items, true})
}

func (m *machine) extend(items []Value) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	list, ok := v.(*List)
	if !ok || list.Tuple {
		return m.wrong("%s, want a list to append to", nameOf(v))
	}
	list.Items = append(list.Items, items...)
	return nil
}

func (m *machine) fill(items []Value) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	dict, ok := v.(*Dict)
	if !ok || len(items)%2 != 0 {
		return m.wrong("%d keys and values for %s, want pairs for a dictionary", len(items), nameOf(v))
	}
	for i := 0; i < len(items); i += 2 {
		if !dict.set(items[i], items[i+1]) {
			return m.wrong("%s as a key; want texts, numbers or truths, each once", nameOf(items[i]))
		}
	}
	return nil
}

func (m *machine) put(bytes int) error {
	n, err := m.number(bytes)
	if err != nil {
		return err
	}
	return m.remember(n)
}

func (m *machine) remember(n uint64) error {
	v, err := m.top()
	if err != nil {
		return err
	}
	m.memo[uint32(n)] = v
	return nil
}

func (m *machine) get(bytes int) error {
	n, err := m.number(bytes)
	if err != nil {
		return err
	}
	v, ok := m.memo[uint32(n)]
	if !ok {
		return m.wrong("nothing was kept as %d", n)
	}
	return m.push(v)
}

// longestName is the most bytes of a global's module or name.
const longestName = 256

func (m *machine) global() error {
	var names [2]string
	for i := range names {
		line := m.data[m.at:min(len(m.data), m.at+longestName)]
		end := bytes.IndexByte(line, '\n')
		if end < 0 {
			return m.wrong("a name without an end, or of more than %d bytes", longestName)
		}
		names[i] = string(line[:end])
		m.at += end + 1
	}
	return m.named(names[0], names[1])
}

func (m *machine) stackGlobal() error {
	name, err := m.pop()
	if err != nil {
		return err
	}
	module, err := m.pop()
	if err != nil {
		return err
	}
	n, nok := name.(Text)
	mod, mok := module.(Text)
	if !nok || !mok || len(n) > longestName || len(mod) > longestName {
		return m.wrong("%s and %s, want two short names", nameOf(module), nameOf(name))
	}
	return m.named(string(mod), string(n))
}

func (m *machine) named(module, name string) error {
	if !utf8.ValidString(module + name) {
		return m.wrong("a name that is no UTF-8")
	}
	g := Global{module, name}
	if err := m.host.Global(g); err != nil {
		return err
	}
	return m.push(g)
}

func (m *machine) reduce() error {
	args, err := m.pop()
	if err != nil {
		return err
	}
	callee, err := m.pop()
	if err != nil {
		return err
	}
	g, gok := callee.(Global)
	list, lok := args.(*List)
	if !gok || !lok || !list.Tuple {
		return m.wrong("%s called with %s, want a global and a tuple", nameOf(callee), nameOf(args))
	}
	v, err := m.host.Call(g, list.Items)
	if err != nil {
		return err
	}
	return m.container(v)
}

// build gives a dictionary the attributes of its instance; nothing else has some.
func (m *machine) build() error {
	state, err := m.pop()
	if err != nil {
		return err
	}
	v, err := m.top()
	if err != nil {
		return err
	}
	dict, ok := v.(*Dict)
	attributes, aok := state.(*Dict)
	if !ok || !aok || dict.Attributes != nil {
		return m.wrong("state %s for %s, want a dictionary for a dictionary without any", nameOf(state), nameOf(v))
	}
	dict.Attributes = attributes
	return nil
}

// nameOf says what a value is, for a message.
func nameOf(v Value) string {
	switch v := v.(type) {
	case *Dict:
		return "a dictionary"
	case *List:
		if v.Tuple {
			return "a tuple"
		}
		return "a list"
	case Int:
		return "the number " + clip(string(v))
	case Float:
		return "a float"
	case Bool:
		return "a truth"
	case Text:
		return "the text " + strconv.Quote(clip(string(v)))
	case None:
		return "None"
	case Global:
		return "the global " + v.String()
	}
	return "a value of the file's own kind"
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
