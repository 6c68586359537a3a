package rollout

import (
	"slices"
	"testing"

	"github.com/statespec/statespec/reference/tensor"
)

// pixel returns a pixel of bytes (H, W, C).
func pixel(b []byte, width, row, column int) []byte {
	return b[(row*width+column)*ColourChannels:][:ColourChannels]
}

func TestStitchingPutsTheWristOnTopAndTheOthersBelow(t *testing.T) {
	p := Small
	var cameras [Cameras]camera
	for which := range cameras {
		cameras[which] = newCamera(p, 1, 0, which)
	}
	frame := must[*tensor.Tensor](t)(stitch(p, cameras, 0, Shift{}))
	if !slices.Equal(frame.Shape(), []int{48, 80, 3}) {
		t.Fatalf("stitch() = %v, want 48 rows, 80 columns, 3 colours", frame)
	}
	b := frame.AppendBytes(nil)
	for row := range 48 {
		for column := range 80 {
			which, from := 0, column/2 // the wrist, each column twice
			if row >= 24 {
				which, from = 1+column/40, column%40
			}
			want := pixel(cameras[which].texture, 40, row%24+2, from) // two rows cut off above
			if got := pixel(b, 80, row, column); !slices.Equal(got, want) {
				t.Fatalf("pixel %d, %d = %v, want %v of camera %d", row, column, got, want, which)
			}
		}
	}
}

func TestACameraMovesWithStepsAndActionsAndWrapsAround(t *testing.T) {
	c := newCamera(Small, 1, 0, 1)
	row := make([]byte, c.width*ColourChannels)
	for _, m := range []Shift{{}, {1, 0}, {0, 1}, {27, 39}, {28, 40}, {-1, -1}, {-1000, 77777}} {
		for y := range c.height {
			c.at(row, y, m)
			for x := range c.width {
				want := pixel(c.texture, c.width, ((y+m.Rows)%28+28)%28, ((x+m.Columns)%40+40)%40)
				if got := pixel(row, c.width, 0, x); !slices.Equal(got, want) {
					t.Fatalf("pixel %d, %d moved by %+v = %v, want %v", y, x, m, got, want)
				}
			}
		}
	}
	if a, b := moved(1, 3, Shift{}), moved(1, 3, Shift{Rows: 5, Columns: 7}); b.Rows-a.Rows != 5 || b.Columns-a.Columns != 7 {
		t.Errorf("moved() by an action of 5, 7 = %+v after %+v", b, a)
	}
}

func TestTheTableOfCentredPixelsRunsFromMinusOneToOne(t *testing.T) {
	table := centred()
	if table[0] != -1 || table[255] != 1 || !slices.IsSorted(table[:]) {
		t.Errorf("centred() runs from %v to %v, want −1 to 1, rising", table[0], table[255])
	}
}
