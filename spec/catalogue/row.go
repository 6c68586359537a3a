package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statespec/statespec/spec"
)

// A Level says how binding a row is.
type Level string

const (
	Must   Level = "MUST"   // the document says it
	Should Level = "SHOULD" // contract or hygiene: broken is a warning
	Opt    Level = "OPT"    // asked only of a subject that claims the capability
)

// Levels lists every level, the most binding first.
func Levels() []Level { return []Level{Must, Should, Opt} }

// Sources of what the document does not say itself.
const (
	contract = "contract" // follows from the lifecycle contract of the public implementation
	hygiene  = "hygiene"  // what any user of such a manager is entitled to
)

// A Row is one guarantee, or one case of a guarantee, as data.
type Row struct {
	ID        string            `json:"id"` // "ACC-11", or "ACC-11.set" for a case; permanent
	Level     Level             `json:"level"`
	Layer     spec.Layer        `json:"layer"`           // what it is asked of
	Needs     []spec.Capability `json:"needs,omitempty"` // all of which a subject must claim to be asked
	Statement string            `json:"statement"`       // one sentence that can be true or false
	Why       string            `json:"why"`             // what goes wrong for a user where it is false
	Source    string            `json:"source"`          // where the document says it: a section or table row; "contract"; "hygiene"
	Since     string            `json:"since"`           // suite version that first had the row: "0.1"
	Asked     string            `json:"asked,omitempty"` // suite version from which it is asked; empty: from Since
}

// Guarantee is the ID of the guarantee that a row is, or is a case of.
func (r Row) Guarantee() string { id, _, _ := strings.Cut(r.ID, "."); return id }

// Case is the name of a case within its guarantee ("set" of "ACC-11.set"), empty
// for the guarantee itself.
func (r Row) Case() string { _, name, _ := strings.Cut(r.ID, "."); return name }

// IsCase says whether the row is a case of a guarantee.
func (r Row) IsCase() bool { return r.Case() != "" }

// Family is the three letters of the ID.
func (r Row) Family() string { code, _, _ := strings.Cut(r.ID, "-"); return code }

// Unclaimed says what of the row's layer and capabilities a subject does not
// claim; empty when it claims all, and the row is to be asked.
func (r Row) Unclaimed(h spec.Hello) string {
	if !slices.Contains(h.Layers, r.Layer) {
		return fmt.Sprintf("layer %s not claimed", r.Layer)
	}
	var lacks []string
	for _, c := range r.Needs {
		if !slices.Contains(h.Can, c) {
			lacks = append(lacks, string(c))
		}
	}
	switch len(lacks) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("capability %s not claimed", lacks[0])
	}
	return fmt.Sprintf("capabilities %s not claimed", strings.Join(lacks, ", "))
}
