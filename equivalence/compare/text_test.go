package compare_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/statespec/statespec/equivalence/compare"
)

// divergent is a report of one equal artefact, one that differs, and a file that
// is not judged.
func divergent(t *testing.T) *compare.Report {
	manifest := []byte(`{"artefacts": [{"file": "state.npy", "axes": ["step"]}, {"file": "out<b>\u001b.npy", "axes": ["step", "channel"]}]}`)
	a := folder(t, map[string][]byte{"manifest.json": manifest, "state.npy": floats(1, 2, 3), "out<b>\x1b.npy": array("<f4", "False", "(3, 2)", floatBytes(0, 0, 0, 0, 0, 0))})
	b := folder(t, map[string][]byte{"manifest.json": manifest, "state.npy": floats(1, 2, 3), "out<b>\x1b.npy": array("<f4", "False", "(3, 2)", floatBytes(0, 0, 0, 1, 0, 2))})
	return paths(t, a, b, compare.Options{ULP: 3})
}

func TestTheTextTellsAPersonWhatToLookAt(t *testing.T) {
	var b bytes.Buffer
	if err := compare.WriteText(&b, divergent(t), false); err != nil {
		t.Fatal(err)
	}
	const want = `divergent: 1 of 2 artefacts
  first      out<b>␛.npy, at step 1
  before it  state.npy is equal

DIFFERENT  out<b>␛.npy  float32 [3 2]
  elements 2 of 6 differ (33.3 %)
  first    [1 1]: a = 0 (0x00000000), b = 1 (0x3f800000), ULP 1065353216
  ulp      typical 536870912 to 1073741823, largest 1073741824 at [2 1]; values differ by at most 2
  axis     0 (step), 3 long: only index 1 and later
  axis     1 (channel), 2 long: only index 1
  beside   2 of 6 are more than 3 ULP apart; the verdict is about bits and stays

not judged (--bytes GLOB compares them byte for byte)
  manifest.json
`
	if b.String() != want {
		t.Errorf("WriteText =\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := compare.WriteText(&b, divergent(t), true); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "\x1b[1m\x1b[31mdivergent\x1b[0m: 1 of 2") || !strings.Contains(b.String(), "\x1b[31mDIFFERENT\x1b[0m") {
		t.Errorf("WriteText in colour =\n%q", b.String())
	}
}

func TestTheJSONIsWhatIsRelied(t *testing.T) {
	var b bytes.Buffer
	if err := compare.WriteJSON(&b, divergent(t)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Equal     *bool `json:"equal"`
		Artefacts []struct {
			Name      string           `json:"name"`
			Equal     *bool            `json:"equal"`
			Elements  int64            `json:"elements"`
			Different *int64           `json:"different"`
			First     *json.RawMessage `json:"first"`
		} `json:"artefacts"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Equal == nil || *got.Equal || len(got.Artefacts) != 2 {
		t.Fatalf("WriteJSON =\n%s", b.String())
	}
	state, out := got.Artefacts[0], got.Artefacts[1]
	if !*state.Equal || *state.Different != 0 || state.First != nil || *out.Different != 2 || out.Elements != 6 {
		t.Errorf("artefacts = %+v, want state equal, and 2 of 6 of out different", got.Artefacts)
	}
	var first map[string]any
	if err := json.Unmarshal(*out.First, &first); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": "0", "b": "1", "bits_a": "0x00000000", "bits_b": "0x3f800000", "ulp": "1065353216"} {
		if first[key] != want {
			t.Errorf("first.%s = %v, want the text %q", key, first[key], want)
		}
	}
	if index, ok := first["index"].([]any); !ok || !slices.Equal(index, []any{1.0, 1.0}) {
		t.Errorf("first.index = %v, want [1, 1]", first["index"])
	}
}

func TestThePageStandsByItself(t *testing.T) {
	var page, section bytes.Buffer
	r := divergent(t)
	if err := compare.WriteHTML(&page, r); err != nil {
		t.Fatal(err)
	}
	if err := compare.WriteSection(&section, r); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	if !strings.Contains(text, section.String()) {
		t.Error("the page does not have the section in it")
	}
	for _, want := range []string{`lang="en"`, `<svg xmlns="http://www.w3.org/2000/svg" role="img"`, "<title>Where out&lt;b&gt;␛.npy differs</title>",
		"<desc>Down: indices of axis 0", "only index 1 and later", "The last equal artefact before it is", "not judged", `scope="row"`, "<caption>"} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("the page has no %q", want)
		}
	}
	if found := regexp.MustCompile(`(?i)<script|<link|src=|href=|url\(|@import|<b>|\x1b`).FindString(text); found != "" {
		t.Errorf("the page has %q", found)
	}
	drawing := text[strings.Index(text, "<svg"):strings.Index(text, "</svg>")] + "</svg>"
	if err := xml.Unmarshal([]byte(drawing), new(struct{})); err != nil {
		t.Errorf("the drawing is no XML: %v", err)
	}
	if n := strings.Count(drawing, "<rect"); n != 3 { // the ground, and two cells
		t.Errorf("the drawing has %d rectangles, want 3\n%s", n, drawing)
	}
}
