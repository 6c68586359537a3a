package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/spec"
)

// form is what an ID looks like. No character of it means anything to Ginkgo's
// label filters, to a shell or to a file system.
var form = regexp.MustCompile(`^[A-Z]{3}-[0-9]{2,}(\.[a-z0-9]+(-[a-z0-9]+)*)?$`)

func TestEveryIDHasTheOneForm(t *testing.T) {
	for _, r := range All() {
		if !form.MatchString(r.ID) {
			t.Errorf("ID %q does not match %s", r.ID, form)
		}
	}
}

func TestNoIDIsGivenTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.ID] {
			t.Errorf("%s is in the catalogue twice", r.ID)
		}
		seen[r.ID] = true
	}
}

func TestRowsStandByFamilyThenNumberThenCase(t *testing.T) {
	var codes []string
	for _, f := range Families() {
		codes = append(codes, f.Code)
	}
	key := func(r Row) string {
		family := slices.Index(codes, r.Family())
		kind := 0
		if r.IsCase() {
			kind = 1
		}
		return fmt.Sprintf("%03d %8s %d", family, r.Guarantee()[4:], kind)
	}
	all := All()
	for i, r := range all {
		if !slices.Contains(codes, r.Family()) {
			t.Errorf("%s: family %q is not among %q", r.ID, r.Family(), codes)
		}
		if i > 0 && key(all[i-1]) > key(r) {
			t.Errorf("%s stands after %s", r.ID, all[i-1].ID)
		}
	}
}

func TestEveryCaseStandsDirectlyBelowItsGuarantee(t *testing.T) {
	parent := ""
	for _, r := range All() {
		if !r.IsCase() {
			parent = r.ID
		} else if r.Guarantee() != parent {
			t.Errorf("%s stands below %s, want below %s", r.ID, parent, r.Guarantee())
		}
	}
}

func TestLevelsLayersAndCapabilitiesAreKnown(t *testing.T) {
	for _, r := range All() {
		if !slices.Contains(Levels(), r.Level) {
			t.Errorf("%s: level %q, want one of %q", r.ID, r.Level, Levels())
		}
		if !slices.Contains(spec.Layers(), r.Layer) {
			t.Errorf("%s: layer %q, want one of %q", r.ID, r.Layer, spec.Layers())
		}
		for _, c := range r.Needs {
			if !slices.Contains(spec.Capabilities(), c) {
				t.Errorf("%s: needs %q, want one of %q", r.ID, c, spec.Capabilities())
			}
		}
		if r.Level == Opt && len(r.Needs) == 0 {
			t.Errorf("%s: OPT and needs nothing, want the capability that makes it asked", r.ID)
		}
	}
}

func TestRowsOfAModelNameTheModelThatTheyNeed(t *testing.T) {
	anyModel := []string{"ENV-14", "OFF-01", "OFF-02", "ATT-02"} // asked of whatever the subject has
	for _, r := range All() {
		ofModel := r.Layer == spec.LayerAdapter || r.Layer == spec.LayerPipeline
		needs := slices.Contains(r.Needs, spec.CanDreamZero) || slices.Contains(r.Needs, spec.CanCosmos3)
		if want := ofModel && !slices.Contains(anyModel, r.Guarantee()); needs != want {
			t.Errorf("%s: layer %s, needs %q: names a model = %t, want %t", r.ID, r.Layer, r.Needs, needs, want)
		}
	}
}

func TestEveryCapabilityIsNeededBySomeRow(t *testing.T) {
	needed := map[spec.Capability]bool{
		spec.CanSpy: true, // EVI-06 is asked without it too, by effects
	}
	for _, r := range All() {
		for _, c := range r.Needs {
			needed[c] = true
		}
	}
	for _, c := range spec.Capabilities() {
		if !needed[c] {
			t.Errorf("no row needs %q: a subject that claims it is asked nothing for it", c)
		}
	}
}

func TestAStatementIsOneSentenceAndNoOthers(t *testing.T) {
	by := map[string]string{}
	for _, r := range All() {
		s := r.Statement
		if !strings.HasSuffix(s, ".") || strings.Contains(s, ". ") || strings.TrimSpace(s) != s {
			t.Errorf("%s: statement %q, want one sentence that ends with a period", r.ID, s)
		}
		if other := by[s]; other != "" {
			t.Errorf("%s and %s make the same statement: %q", other, r.ID, s)
		}
		by[s] = r.ID
	}
}

func TestEveryRowSaysWhyAndWhere(t *testing.T) {
	by := map[string]string{}
	for _, r := range All() {
		if !strings.HasSuffix(r.Why, ".") || strings.Contains(r.Why, ". ") {
			t.Errorf("%s: why %q, want one sentence that ends with a period", r.ID, r.Why)
		}
		if other := by[r.Why]; other != "" {
			t.Errorf("%s and %s give the same reason: %q", other, r.ID, r.Why)
		}
		by[r.Why] = r.ID
		if r.Source == "" {
			t.Errorf("%s: no source", r.ID)
		}
		if r.Level == Must && (r.Source == contract || r.Source == hygiene) {
			t.Errorf("%s: MUST by %q, want the place where the document says it", r.ID, r.Source)
		}
	}
}

func TestVersionsOfARowAreSuiteVersions(t *testing.T) {
	for _, r := range All() {
		if !ValidSuite(r.Since) {
			t.Errorf("%s: since %q, want a suite version", r.ID, r.Since)
		}
		if r.Asked != "" && (!ValidSuite(r.Asked) || CompareSuites(r.Asked, r.Since) < 0) {
			t.Errorf("%s: asked from %q, want a suite version not before %q", r.ID, r.Asked, r.Since)
		}
	}
}

func TestLookupFindsEveryRowAndNothingElse(t *testing.T) {
	for _, r := range All() {
		if got, ok := Lookup(r.ID); !ok || got.Statement != r.Statement {
			t.Errorf("Lookup(%q) = %q, %t, want that row", r.ID, got.ID, ok)
		}
	}
	for _, id := range []string{"", "ACC", "ACC-99", "ACC-11.", "ACC-11.bag", "acc-11", "ACC-1"} {
		if got, ok := Lookup(id); ok || got.ID != "" {
			t.Errorf("Lookup(%q) = %q, %t, want nothing", id, got.ID, ok)
		}
	}
}

func TestCasesAreThoseOfOneGuarantee(t *testing.T) {
	ids := func(rows []Row) (ids []string) {
		for _, r := range rows {
			ids = append(ids, r.Case())
		}
		return ids
	}
	for id, want := range map[string][]string{
		"ACC-11":     {"set", "map-key", "record", "instance", "stored"},
		"EQV-12":     {"frames", "latents", "chunks"},
		"ACC-11.set": nil,
		"EVI-02":     nil,
		"ACC":        nil,
		"":           nil,
	} {
		if got := ids(Cases(id)); !slices.Equal(got, want) {
			t.Errorf("Cases(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestTheTableIsTheCallersToChange(t *testing.T) {
	mine := All()
	for i := range mine {
		mine[i].Statement = "changed"
		for j := range mine[i].Needs {
			mine[i].Needs[j] = "changed"
		}
	}
	Families()[0].Title = "changed"
	for _, r := range All() {
		if r.Statement == "changed" || slices.Contains(r.Needs, "changed") {
			t.Fatalf("All() after a caller's change = %+v, want the row as it was", r)
		}
	}
	if got := Families()[0].Title; got == "changed" {
		t.Errorf("Families()[0].Title after a caller's change = %q", got)
	}
}
