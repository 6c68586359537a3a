package history

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/statespec/statespec/spec"
)

// limit bounds the numbers of a history: nothing in it is meant to be large, and
// a subject should not fall over what nobody would ask.
const limit = 1 << 20

// number is some integers, after a keyword if there is one.
func number(keyword string, n int) part {
	usage := strings.TrimSpace(keyword + strings.Repeat(" INT", n))
	return part{
		usage: usage,
		print: func(o Operation) (ws []string) {
			if keyword != "" {
				ws = append(ws, keyword)
			}
			for i := range n {
				v := 0
				if i < len(o.Ints) {
					v = o.Ints[i]
				}
				ws = append(ws, strconv.Itoa(v))
			}
			return ws
		},
		parse: func(w *words, o *Operation) error {
			if keyword != "" && !w.takeIf(keyword) {
				return fmt.Errorf("no %q where %s is due", keyword, usage)
			}
			for range n {
				v, err := w.integer("an integer")
				if err != nil {
					return err
				}
				o.Ints = append(o.Ints, v)
			}
			return nil
		},
	}
}

func (w *words) integer(what string) (int, error) {
	text, err := w.bare(what, func(t string) bool {
		n, err := strconv.Atoi(t)
		return err == nil && -limit <= n && n <= limit && strconv.Itoa(n) == t
	})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

var budget = part{
	usage: "[budget INT]",
	print: func(o Operation) []string {
		if o.Budget == nil {
			return nil
		}
		return []string{"budget", strconv.FormatInt(*o.Budget, 10)}
	},
	parse: func(w *words, o *Operation) error {
		if !w.takeIf("budget") {
			return nil
		}
		n, err := w.integer("a number of bytes")
		o.Budget = new(int64(n))
		return err
	},
}

// flags are words that may stand or not, in this order.
func flags(fs ...flag) part {
	usage := ""
	for _, f := range fs {
		usage += " [" + f.word + "]"
	}
	return part{
		usage: strings.TrimSpace(usage),
		print: func(o Operation) (ws []string) {
			for _, f := range fs {
				ws = append(ws, when(*f.of(&o), f.word)...)
			}
			return ws
		},
		parse: func(w *words, o *Operation) error {
			for _, f := range fs {
				*f.of(o) = w.takeIf(f.word)
			}
			return nil
		},
	}
}

type flag struct {
	word string
	of   func(*Operation) *bool
}

var (
	asArray = flag{"array", func(o *Operation) *bool { return &o.Array }}
	odd     = flag{"odd", func(o *Operation) *bool { return &o.Odd }}
	refuse  = flags(flag{"refuse", func(o *Operation) *bool { return &o.Refuse }})
	staged  = flags(flag{"staged", func(o *Operation) *bool { return &o.Staged }})
	truth   = part{
		usage: "true|false",
		print: func(o Operation) []string { return []string{strconv.FormatBool(o.Ints[0] != 0)} },
		parse: func(w *words, o *Operation) error {
			word, err := w.bare("true or false", func(t string) bool { return t == "true" || t == "false" })
			o.Ints = []int{0}
			if word == "true" {
				o.Ints[0] = 1
			}
			return err
		},
	}
)

// floatBits are 16 hex digits: the bits of a float64.
var floatBits = part{
	usage: "HEX",
	print: func(o Operation) []string { return []string{o.Text} },
	parse: func(w *words, o *Operation) (err error) {
		o.Text, err = w.bare("16 hex digits, the bits of a float,", func(t string) bool {
			return len(t) == 16 && !strings.ContainsFunc(t, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })
		})
		return err
	},
}

// from is the object that another can be made from.
var from = part{
	usage: "[from O]",
	print: func(o Operation) []string {
		if len(o.From) == 0 {
			return nil
		}
		return []string{"from", o.From[0]}
	},
	parse: func(w *words, o *Operation) error {
		if !w.takeIf("from") {
			return nil
		}
		return given(Object).parse(w, o)
	},
}

func when(is bool, word string) []string {
	if is {
		return []string{word}
	}
	return nil
}

var id = part{
	usage: `"ID"`,
	print: func(o Operation) []string {
		if o.ID == nil {
			return []string{`""`}
		}
		return []string{strconv.Quote(*o.ID)}
	},
	parse: func(w *words, o *Operation) error {
		text, err := w.quoted(`an id in quotes ("a")`)
		o.ID = &text
		return err
	},
}

var perhapsID = part{
	usage: `["ID"]`,
	print: func(o Operation) []string {
		if o.ID == nil {
			return nil
		}
		return id.print(o)
	},
	parse: func(w *words, o *Operation) error {
		if w.empty() {
			return nil
		}
		return id.parse(w, o)
	},
}

var text = part{
	usage: `"TEXT"`,
	print: func(o Operation) []string { return []string{strconv.Quote(o.Text)} },
	parse: func(w *words, o *Operation) (err error) {
		o.Text, err = w.quoted(`a text in quotes`)
		return err
	},
}

var name = part{
	usage: "NAME",
	print: func(o Operation) []string { return []string{o.Name} },
	parse: func(w *words, o *Operation) (err error) {
		o.Name, err = w.bare("a name of small letters", isName)
		return err
	},
}

// given is one thing that is handed over.
func given(s Sort) part {
	return part{
		usage: strings.ToUpper(string(rune(s))),
		print: func(o Operation) []string { return o.From },
		parse: func(w *words, o *Operation) error {
			slot, err := w.slot(s)
			o.From = append(o.From, slot)
			return err
		},
	}
}

var valueOrNone = part{
	usage: "V|none",
	print: func(o Operation) []string {
		if len(o.From) == 0 {
			return []string{"none"}
		}
		return o.From
	},
	parse: func(w *words, o *Operation) error {
		if w.takeIf("none") {
			return nil
		}
		return given(Value).parse(w, o)
	},
}

// values are some values that are handed over, at least so many.
func values(least int) part {
	usage := "[V...]"
	if least > 0 {
		usage = "V..."
	}
	return part{
		usage: usage,
		print: func(o Operation) []string { return o.From },
		parse: func(w *words, o *Operation) error {
			for len(o.From) < least || !w.empty() {
				if err := given(Value).parse(w, o); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

var pairs = part{
	usage: `["KEY" V]...`,
	print: func(o Operation) (ws []string) {
		for i, slot := range o.From {
			ws = append(ws, strconv.Quote(o.Keys[i]), slot)
		}
		return ws
	},
	parse: func(w *words, o *Operation) error {
		for !w.empty() {
			key, err := w.quoted("a key in quotes")
			if err != nil {
				return err
			}
			for _, k := range o.Keys {
				if k == key {
					return fmt.Errorf("the key %q is there twice", key)
				}
			}
			o.Keys = append(o.Keys, key)
			if err := given(Value).parse(w, o); err != nil {
				return err
			}
		}
		return nil
	},
}

var bound = part{
	usage: "[payloads INT | frames INT axis INT]",
	print: func(o Operation) []string {
		switch o.Bound.Unit {
		case spec.Payloads:
			return []string{"payloads", strconv.Itoa(o.Bound.N)}
		case spec.Frames:
			return []string{"frames", strconv.Itoa(o.Bound.N), "axis", strconv.Itoa(o.Bound.Axis)}
		}
		return nil
	},
	parse: func(w *words, o *Operation) (err error) {
		switch {
		case w.takeIf("payloads"):
			o.Bound.Unit = spec.Payloads
			o.Bound.N, err = w.integer("a number of payloads")
		case w.takeIf("frames"):
			o.Bound.Unit = spec.Frames
			if o.Bound.N, err = w.integer("a number of frames"); err != nil {
				return err
			}
			if !w.takeIf("axis") {
				return fmt.Errorf(`no "axis" after the number of frames`)
			}
			if o.Bound.Axis, err = w.integer("an axis"); err == nil && (o.Bound.Axis < 0 || o.Bound.Axis > maxRank) {
				err = fmt.Errorf("axis %d, want 0 to %d", o.Bound.Axis, maxRank)
			}
		}
		return err
	},
}

// maxRank bounds the axes of a tensor.
const maxRank = 6

var dtype = part{
	usage: "DTYPE",
	print: func(o Operation) []string { return []string{o.DType} },
	parse: func(w *words, o *Operation) (err error) {
		o.DType, err = w.bare("a dtype (float32, bfloat16, uint8, ...)", func(t string) bool { return dtypes[t] > 0 })
		return err
	},
}

var shape = part{
	usage: "INTxINT...",
	print: func(o Operation) []string {
		ds := make([]string, len(o.Shape))
		for i, d := range o.Shape {
			ds[i] = strconv.Itoa(d)
		}
		return []string{strings.Join(ds, "x")}
	},
	parse: func(w *words, o *Operation) (err error) {
		text, err := w.bare("a shape (2x64)", func(t string) bool { return parseShape(t) != nil })
		if err == nil {
			o.Shape = parseShape(text)
		}
		return err
	},
}

// parseShape reads dimensions; nil when they are none, or too large.
func parseShape(text string) (shape []int) {
	elements := 1
	for d := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(d)
		if err != nil || n < 0 || n > MaxElements || strconv.Itoa(n) != d || len(shape) == maxRank {
			return nil
		}
		if shape = append(shape, n); n > 0 {
			elements *= n
		}
		if elements > MaxElements {
			return nil
		}
	}
	return shape
}

var seed = part{
	usage: "seed INT",
	print: func(o Operation) []string { return []string{"seed", strconv.FormatUint(o.Seed, 10)} },
	parse: func(w *words, o *Operation) error {
		if !w.takeIf("seed") {
			return fmt.Errorf(`no "seed" where the seed of the content is due`)
		}
		text, err := w.bare("a seed, 0 to 2^64-1,", func(t string) bool {
			n, err := strconv.ParseUint(t, 10, 64)
			return err == nil && strconv.FormatUint(n, 10) == t
		})
		if err == nil {
			o.Seed, err = strconv.ParseUint(text, 10, 64)
		}
		return err
	},
}
