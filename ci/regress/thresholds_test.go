package regress_test

import (
	"os"
	"strings"
	"testing"

	"github.com/statespec/statespec/ci/regress"
)

func TestMistakesInThresholdsAreToldWithTheirPlace(t *testing.T) {
	for _, row := range []struct{ name, text, says string }{
		{"nothing", "", "t.yaml: empty, want rules"},
		{"a comment", "# none\n", "empty"},
		{"no map", "- a\n", "t.yaml:1:1: a thresholds file is a list, want a map with alpha, rules"},
		{"an unknown key", "rules: []\nalhpa: 0.01\n", `t.yaml:2:1: unknown key "alhpa" of a thresholds file; did you mean alpha?`},
		{"no key that says anything", "{}\n", "want"},
		{"a key that is like none of a rule", "rules:\n- {unit: ratio, colour: red}\n", `unknown key "colour" of a rule, want one of unit, benchmark, better, gate, exact, worse, noise, least, samples`},
		{"an unknown key of a rule", "rules:\n- unit: ratio\n  wrose: 5%\n", `t.yaml:3:3: unknown key "wrose" of a rule; did you mean worse?`},
		{"alpha too large", "alpha: 0.5\n", `t.yaml:1:8: alpha "0.5", want a number above 0 and at most 0.05`},
		{"alpha of no size", "alpha: -1\n", "want a number above 0"},
		{"alpha that is text", "alpha: small\n", `alpha "small", want a number`},
		{"rules that are no list", "rules: 5\n", "t.yaml:1:8: rules is a number, want a list"},
		{"a rule that is no map", "rules:\n- ratio\n", "t.yaml:2:3: a rule is text, want a map"},
		{"a bare number", "rules:\n- {unit: ratio, worse: 5}\n", `t.yaml:2:24: worse "5", want a percentage, as in 5%`},
		{"a percentage below 0", "rules:\n- {unit: ratio, noise: -5%}\n", "noise \"-5%\", want a percentage"},
		{"no number", "rules:\n- {unit: ratio, worse: NaN%}\n", "want a percentage"},
		{"better somehow", "rules:\n- {unit: ratio, better: bigger}\n", `better "bigger", want lower or higher`},
		{"a gate that is half open", "rules:\n- {unit: ratio, gate: 1}\n", "gate is a number, want true or false"},
		{"no samples", "rules:\n- {unit: ratio, samples: 0}\n", `samples "0", want a whole number from 1 to 10000`},
		{"a rule about all by oversight", "rules:\n- worse: 5%\n", "t.yaml:2:3: a rule without unit and benchmark"},
		{"a rule that says nothing", "rules:\n- unit: ratio\n", "a rule that changes nothing"},
		{"least of any unit", "rules:\n- {benchmark: Hit, least: 5}\n", "least without one unit"},
		{"least below 0", "rules:\n- {unit: B/op, least: -5}\n", `least "-5", want 0 and more`},
		{"a unit of no text", "rules:\n- {unit: '', gate: true}\n", "t.yaml:2:10: unit is empty"},
		{"a unit that is a number", "rules:\n- {unit: 5, gate: true}\n", `t.yaml:2:10: unit is a number, want text in quotes: "5"`},
		{"a unit in a block", "rules:\n- unit: |\n    ratio\n  gate: true\n", "t.yaml:2:9: unit is a block of text, want it in one line"},
		{"a percentage in a block", "rules:\n- unit: ratio\n  worse: |-\n    5%\n", "t.yaml:3:10: worse \"(a block of text)\", want a percentage"},
		{"a unit that turns text around", "rules:\n- {unit: \"a\\u202eb\", gate: true}\n", `t.yaml:2:10: unit "a\u202eb", want some printable text`},
		{"an alias", "rules:\n- {unit: *ratio, gate: true}\n", "t.yaml:2:10: \"*\": want plain lists and maps"},
		{"deep", strings.Repeat("[", 50), "t.yaml:1:9: nested deeper than 8"},
		{"not YAML", "rules: [\n", "t.yaml:1:"},
		{"too long", strings.Repeat("#", regress.MaxThresholds+1), "want at most 262144"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := regress.ParseThresholds("t.yaml", []byte(row.text))
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("ParseThresholds = %v, want %q in it", err, row.says)
			}
		})
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	_, err := regress.ParseThresholds("t.yaml", []byte("alpha: 1\nrules:\n- {unit: ratio, worse: 5, noise: x}\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("ParseThresholds = %v, want three lines", err)
	}
}

func TestLeastIsInTheRulesUnit(t *testing.T) {
	const th = "rules:\n- {unit: ns/op, gate: true, least: 20}\n"
	for new, want := range map[float64]regress.Word{115: regress.Held, 125: regress.Worse} {
		r := compared(t, "cpu: a\n"+each("X", "ns/op", around(10, 100)...), "cpu: a\n"+each("X", "ns/op", around(10, new)...), th, false)
		if c := r.Tables[0].Rows[0]; c.Word != want {
			t.Errorf("100 ns, then %v = %s (%s), want %s", new, c.Word, c.Reason, want)
		}
	}
}

// The example that README.md shows is one.
func TestTheDocumentedThresholdsAreRead(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	th, err := regress.ParseThresholds("README.md", []byte(example))
	if err != nil || !ok || len(th.Rules) < 3 {
		t.Errorf("README.md's thresholds: %v, %d rules, want some", err, len(th.Rules))
	}
}
