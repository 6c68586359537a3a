package environment

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/statespec/statespec/spec"
	. "github.com/statespec/statespec/spec/suite"
)

// spellings are the values that a parser may take or leave, but not mistake.
func spellings(open Open) {
	read := func(ctx SpecContext, value, denotes string) { neverMistaken(ctx, open, value, denotes) }

	DescribeTable("of twenty digits is that number, or ignored with a warning", Promise("ENV-15"),
		func(ctx SpecContext, digits string) { neverMistaken(ctx, open, digits, digits) },
		Entry("beyond 64 bits", "99999999999999999999"),
		Entry("one that wraps around to 1", "18446744073709551617"),
		Entry("one that wraps around to 64", "18446744073709551680"),
		Entry("one that fits without a sign only", "10000000000000000005"),
	)

	DescribeTable("in an unusual spelling is the number that it denotes, or ignored with a warning", Promise("ENV-16"), read,
		Entry("with spaces around", " 8 ", "8"),
		Entry("with a line's end", "8\n", "8"),
		Entry("with a fraction of zero", "3.0", "3"),
		Entry("with an exponent", "1e3", "1000"),
	)
	DescribeTable("with an underscore is the number without it, or ignored with a warning", Promise("ENV-16.underscore"), read,
		Entry("6_4", "6_4", "64"),
		Entry("1_0", "1_0", "10"),
	)
	DescribeTable("with a sign is the number behind it, or ignored with a warning", Promise("ENV-16.sign"), read,
		Entry("+5", "+5", "5"),
	)
	DescribeTable("with a leading zero is decimal, or ignored with a warning", Promise("ENV-16.leading-zero"), read,
		Entry("010", "010", "10"),
		Entry("007", "007", "7"),
	)
	DescribeTable("in hexadecimal is the number that it denotes, or ignored with a warning", Promise("ENV-16.hex"), read,
		Entry("0x10", "0x10", "16"),
		Entry("0X1F", "0X1F", "31"),
	)
	DescribeTable("in other digits is the number that they denote, or ignored with a warning", Promise("ENV-16.digits"), read,
		Entry("Arabic-Indic", "٣", "3"),
		Entry("Arabic-Indic, two of them", "١٢", "12"),
		Entry("full-width", "７", "7"),
		Entry("full-width, two of them", "１２", "12"),
		Entry("mathematical, two of them", "𝟙𝟚", "12"),
	)
}

// neverMistaken asks that a value is used as the number that it denotes, or
// ignored with a warning: by what is resolved and by what a manager retains.
func neverMistaken(ctx SpecContext, open Open, value, denotes string) {
	GinkgoHelper()
	used := exposure{cap: denotes, kept: many}
	if value != denotes {
		// What a cap in plain digits comes to is ENV-09's to ask: here, to the
		// same as that number.
		used, _ = expose(ctx, open, denotes)
	}
	with, _ := expose(ctx, open, value)
	if with.String() == used.String() {
		return // a warning may be given, and need not
	}
	with, without := listen(ctx, open, value)
	or := fmt.Sprintf("; or else %s", used)
	expectIgnored(with, without, value, or)
	Expect(with.heard(without)).To(Equal("a warning"), "logged about %s=%q, which was ignored%s", spec.MaxSessionsVar, value, or)
}
