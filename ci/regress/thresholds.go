package regress

import (
	"strconv"
	"strings"

	"github.com/statespec/statespec/spec/plainyaml"
)

// MaxThresholds bounds a thresholds file, in bytes.
const MaxThresholds = 256 << 10

var thresholdsFormat = plainyaml.Format{Bytes: MaxThresholds, Depth: 8, Want: "rules"}

// ParseThresholds reads a thresholds file, whose format README.md describes. It is
// checked whole: the error has a line for each mistake, with line and column.
func ParseThresholds(name string, data []byte) (Thresholds, error) {
	p := plainyaml.Problems{Path: name}
	th := Thresholds{Name: name}
	if root, ok := thresholdsFormat.Parse(data, &p); ok {
		th.read(root)
	}
	if err := p.Err(); err != nil {
		return Thresholds{}, err
	}
	return th, nil
}

func (th *Thresholds) read(root plainyaml.Node) {
	fields, ok := root.Fields("a thresholds file", "alpha", "rules")
	for _, f := range fields {
		switch n := f.Value; f.Key {
		case "alpha":
			th.Alpha = n.Number("alpha")
			if th.Alpha <= 0 || th.Alpha > ShownAlpha {
				n.Problem("alpha %q, want a number above 0 and at most %v", n.Written(), ShownAlpha)
			}
		case "rules":
			for _, item := range n.List("rules") {
				th.Rules = append(th.Rules, rule(item))
			}
		}
	}
	if ok && len(fields) == 0 {
		root.Problem("neither alpha nor rules, want one of them")
	}
}

func rule(n plainyaml.Node) Rule {
	r := Rule{Line: n.At().Line}
	fields, ok := n.Fields("a rule", "unit", "benchmark", "better", "gate", "exact", "worse", "noise", "least", "samples")
	for _, f := range fields {
		switch n := f.Value; f.Key {
		case "unit":
			r.Unit = printableText(n, f.Key)
		case "benchmark":
			r.Benchmark = printableText(n, f.Key)
		case "better":
			b := Better(printableText(n, f.Key))
			if b != Lower && b != Higher {
				n.Problem("better %q, want lower or higher", n.Written())
			}
			r.Better = &b
		case "gate":
			r.Gate = new(n.Boolean(f.Key))
		case "exact":
			r.Exact = new(n.Boolean(f.Key))
		case "worse":
			r.Worse = percentage(n, f.Key)
		case "noise":
			r.Noise = percentage(n, f.Key)
		case "least":
			least := n.Number(f.Key)
			if least < 0 {
				n.Problem("least %q, want 0 and more, in the rule's unit", n.Written())
			}
			r.Least = &least
		case "samples":
			r.Samples = samples(n)
		}
	}
	switch {
	case !ok:
	case r.Unit == "" && r.Benchmark == "":
		n.Problem("a rule without unit and benchmark, want one of them; all units are unit: \"*\"")
	case r.Least != nil && (r.Unit == "" || strings.ContainsAny(r.Unit, "*?")):
		n.Problem("least without one unit, want the unit that it is in")
	case len(fields) == 1 || len(fields) == 2 && r.Unit != "" && r.Benchmark != "":
		n.Problem("a rule that changes nothing, want one of better, gate, exact, worse, noise, least, samples")
	}
	return r
}

// percentage reads 5% as 0.05. A bare number might be meant either way.
func percentage(n plainyaml.Node, what string) *float64 {
	text, ok := strings.CutSuffix(n.Written(), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !ok || err != nil || !(v >= 0 && v <= 1e6) {
		n.Problem("%s %q, want a percentage, as in 5%%", what, n.Written())
		v = 0
	}
	v /= 100
	return &v
}

func samples(n plainyaml.Node) *int {
	v, err := strconv.Atoi(n.Written())
	if err != nil || v < 1 || v > maxRuns {
		n.Problem("samples %q, want a whole number from 1 to %d", n.Written(), maxRuns)
	}
	return &v
}

// printableText reads a name, or a pattern of some: one line that does nothing but
// be read.
func printableText(n plainyaml.Node, what string) string {
	s := n.Text(what)
	switch {
	case n.Kind() == plainyaml.Block:
		n.Problem("%s is a block of text, want it in one line", what)
	case !printable(s) || len(s) > 1000:
		n.Problem("%s %.50q, want some printable text", what, s)
	}
	return s
}
