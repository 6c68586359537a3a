package catalogue

import (
	"strings"
	"testing"
)

// floor lists the guarantees that the suite is held to, by level: what may be
// added to, and not taken from.
const floor = `
ENV MUST   01 02 03 04 06 07 08 09 10 11 13 14 17
ENV SHOULD 05 12 15 16 18
OFF MUST   01 02
OBJ MUST   03 04 06 18 21
OBJ SHOULD 01 02 05 07 08 09 10 11 12 13 19 20 22
OBJ OPT    14 15 16 17
ATT MUST   01 03 04 05 06 07
ATT SHOULD 02
EVI MUST   01 02 03 05 06 07 08 09 20 21
EVI SHOULD 04 10 11 12 13 14 15
EVI OPT    16 17 18 19
ACC MUST   01 02 03 04 05 06 09 10 11 17 19 20
ACC SHOULD 07 08 12 13 14 15 18 21
ACC OPT    16
PRK OPT    01 02 03
RNG MUST   01 02 03 04 06 07 08 13
RNG SHOULD 05 09 10 11 12
EQV MUST   01 02 03 04 05 06 07 08 09 10
EQV SHOULD 11 12 14
EQV OPT    13
`

// guarantees reads floor: level by ID.
func guarantees() map[string]Level {
	levels := map[string]Level{}
	for line := range strings.Lines(strings.TrimSpace(floor)) {
		words := strings.Fields(line)
		for _, number := range words[2:] {
			levels[words[0]+"-"+number] = Level(words[1])
		}
	}
	return levels
}

func TestEveryGuaranteeOfTheFloorIsInTheCatalogueAtItsLevel(t *testing.T) {
	levels := guarantees()
	if got, want := len(levels), 121; got != want {
		t.Fatalf("floor has %d guarantees, want %d", got, want)
	}
	for id, level := range levels {
		row, ok := Lookup(id)
		if !ok {
			t.Errorf("Lookup(%q) = nothing, want a %s", id, level)
		} else if row.Level != level {
			t.Errorf("Lookup(%q).Level = %s, want %s", id, row.Level, level)
		}
	}
}

func TestOnlyAMustHasCasesThatAreMusts(t *testing.T) {
	for _, r := range All() {
		parent, _ := Lookup(r.Guarantee())
		if r.Level == Must && parent.Level != Must {
			t.Errorf("%s is a %s of %s, which is a %s", r.ID, r.Level, parent.ID, parent.Level)
		}
	}
}
