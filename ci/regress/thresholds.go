package regress

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// ParseThresholds reads a thresholds file, whose format README.md describes. It is
// checked whole: the error has a line for each mistake, with line and column.
func ParseThresholds(name string, data []byte) (Thresholds, error) {
	p := problems{name: name}
	th := Thresholds{Name: name}
	if root := parseTree(data, &p); root != nil {
		keys := p.fields(root, "a thresholds file", "alpha", "rules")
		if n, ok := keys["alpha"]; ok {
			th.Alpha = p.number(n, "alpha")
			if th.Alpha <= 0 || th.Alpha > ShownAlpha {
				p.add(n, "alpha %q, want a number above 0 and at most %v", written(n), ShownAlpha)
			}
		}
		for _, item := range p.list(keys["rules"], "rules") {
			th.Rules = append(th.Rules, p.rule(item))
		}
		if keys != nil && keys["rules"] == nil && keys["alpha"] == nil {
			p.add(root, "neither alpha nor rules, want one of them")
		}
	}
	if err := p.err(); err != nil {
		return Thresholds{}, err
	}
	return th, nil
}

func (p *problems) rule(n ast.Node) Rule {
	line, _ := position(n)
	r := Rule{Line: max(line, 1)}
	keys := p.fields(n, "a rule", "unit", "benchmark", "better", "gate", "exact", "worse", "noise", "least", "samples")
	for key, n := range keys {
		if at, _ := position(n); at > 0 {
			r.Line = min(r.Line, at)
		}
		switch key {
		case "unit":
			r.Unit = p.text(n, key)
		case "benchmark":
			r.Benchmark = p.text(n, key)
		case "better":
			b := Better(p.text(n, key))
			if b != Lower && b != Higher {
				p.add(n, "better %q, want lower or higher", written(n))
			}
			r.Better = &b
		case "gate":
			r.Gate = p.boolean(n, key)
		case "exact":
			r.Exact = p.boolean(n, key)
		case "worse":
			r.Worse = p.percentage(n, key)
		case "noise":
			r.Noise = p.percentage(n, key)
		case "least":
			least := p.number(n, key)
			if least < 0 {
				p.add(n, "least %q, want 0 and more, in the rule's unit", written(n))
			}
			r.Least = &least
		case "samples":
			r.Samples = p.samples(n)
		}
	}
	switch {
	case keys == nil:
	case r.Unit == "" && r.Benchmark == "":
		p.add(n, "a rule without unit and benchmark, want one of them; all units are unit: \"*\"")
	case r.Least != nil && (r.Unit == "" || strings.ContainsAny(r.Unit, "*?")):
		p.add(n, "least without one unit, want the unit that it is in")
	case len(keys) == 1 || len(keys) == 2 && r.Unit != "" && r.Benchmark != "":
		p.add(n, "a rule that changes nothing, want one of better, gate, exact, worse, noise, least, samples")
	}
	return r
}

// percentage reads 5% as 0.05. A bare number might be meant either way.
func (p *problems) percentage(n ast.Node, what string) *float64 {
	text, ok := strings.CutSuffix(written(n), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !ok || err != nil || !(v >= 0 && v <= 1e6) {
		p.add(n, "%s %q, want a percentage, as in 5%%", what, written(n))
		v = 0
	}
	v /= 100
	return &v
}

func (p *problems) samples(n ast.Node) *int {
	v, err := strconv.Atoi(written(n))
	if err != nil || v < 1 || v > maxRuns {
		p.add(n, "samples %q, want a whole number from 1 to %d", written(n), maxRuns)
	}
	return &v
}

func (p *problems) number(n ast.Node, what string) float64 {
	v, err := strconv.ParseFloat(written(n), 64)
	if err != nil || !Number(v).finite() {
		p.add(n, "%s %q, want a number", what, written(n))
		return 0
	}
	return v
}

func (p *problems) boolean(n ast.Node, what string) *bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		p.add(n, "%s is %s, want true or false", what, kindOf(n))
		return new(bool)
	}
	return &b.Value
}

func (p *problems) text(n ast.Node, what string) string {
	s, ok := n.(*ast.StringNode)
	switch {
	case !ok:
		p.add(n, "%s is %s, want text", what, kindOf(n))
		return ""
	case strings.TrimSpace(s.Value) == "" || !printable(s.Value) || len(s.Value) > 1000:
		p.add(n, "%s %.50q, want some printable text", what, s.Value)
	}
	return s.Value
}

// written is a scalar as the file has it.
func written(n ast.Node) string {
	if s, ok := n.(ast.ScalarNode); ok && n.GetToken() != nil {
		if text, ok := s.(*ast.StringNode); ok {
			return strings.TrimSpace(text.Value)
		}
		return n.GetToken().Value
	}
	return fmt.Sprintf("(%s)", kindOf(n))
}
