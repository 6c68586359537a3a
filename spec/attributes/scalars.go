package attributes

import (
	"math"

	. "github.com/onsi/ginkgo/v2"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// scalars are read back as they are: a flag is no number, a number no text, and a
// float is its bits.
func scalars(open Open) {
	entry := func(text string, r spec.Recipe, want spec.Reading) TableEntry { return Entry(text, r, want) }
	integer := func(text string, n int64) TableEntry {
		return entry(text, spec.Int(n), spec.Reading{Kind: spec.KindInt, Int: n})
	}
	float := func(text, hex string) TableEntry {
		return entry(text, spec.Float(hex), spec.Reading{Kind: spec.KindFloat, Text: hex})
	}
	text := func(name, t string) TableEntry {
		return entry(name, spec.Text(t), spec.Reading{Kind: spec.KindText, Text: t})
	}

	DescribeTable("keep", Promise("ATT-01.scalar"), func(ctx SpecContext, r spec.Recipe, want spec.Reading) {
		s := open.Subject(ctx)
		carries(s, exactly(s, r, want))
	},
		entry("true", spec.Bool(true), spec.Reading{Kind: spec.KindBool, Int: 1}),
		entry("false", spec.Bool(false), spec.Reading{Kind: spec.KindBool}),
		integer("zero", 0), integer("one, which is no truth", 1), integer("minus one", -1),
		integer("an integer that no float64 is", 1<<53+1),
		integer("the largest of 64 bits", math.MaxInt64), integer("the smallest of 64 bits", math.MinInt64),
		float("one and a half", "3ff8000000000000"), float("minus zero", "8000000000000000"),
		float("a whole number that stays a float", "4008000000000000"),
		float("the smallest subnormal", "0000000000000001"), float("minus infinity", "fff0000000000000"),
		float("a NaN with a payload", "7ff8000000012345"),
		text("an empty text", ""), text("a text of a number", "3"), text("a text with white space around it", " a\n"),
		text("a text beyond ASCII", "naïve ☃ 𝄞"),
		entry("nothing", spec.Nothing(), spec.Reading{Kind: spec.KindNone}),
	)

	It("take the kind of the scalar that was assigned last", Promise("ATT-01.scalar"), func(ctx SpecContext) {
		s := open.Subject(ctx)
		carries(s, values(s, spec.Int(7), spec.Text("3"), spec.Bool(true), spec.Float("4008000000000000"), spec.Int(3), spec.Nothing())...)
	})
}
