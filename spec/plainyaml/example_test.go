package plainyaml_test

import (
	"fmt"

	"github.com/statespec/statespec/spec/plainyaml"
)

func Example() {
	const text = `alpha: small
rules:
- {unit: ratio, wrose: 5}
- 7
`
	format := plainyaml.Format{Bytes: 1 << 16, Depth: 8, Want: "rules"}
	p := plainyaml.Problems{Path: "thresholds.yaml"}
	if root, ok := format.Parse([]byte(text), &p); ok {
		fields, _ := root.Fields("a thresholds file", "alpha", "rules")
		for _, f := range fields {
			switch f.Key {
			case "alpha":
				f.Value.Number("alpha")
			case "rules":
				for _, rule := range f.Value.List("rules") {
					rule.Fields("a rule", "unit", "worse")
				}
			}
		}
	}
	fmt.Println(p.Err())
	// Output:
	// thresholds.yaml:1:8: alpha "small", want a number
	// thresholds.yaml:3:17: unknown key "wrose" of a rule; did you mean worse?
	// thresholds.yaml:4:3: a rule is a number, want a map with unit, worse
}
