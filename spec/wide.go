package spec

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// exact is the largest integer up to which every one is a float64, which is all
// that many a language reads of a number in JSON.
const exact = 1 << 53

// wide is an integer scalar as text, where it is too large for a number in JSON;
// empty where it is not.
func wide(step string, n int64) string {
	if step != string(KindInt) || n >= -exact && n <= exact {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// widened is the integer scalar that a text stands for.
func widened(step string, n int64, text string) (int64, string, error) {
	if step != string(KindInt) || text == "" {
		return n, text, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, "", fmt.Errorf("an int is a number, or text of one of 64 bits, not %q", text)
	}
	return n, "", nil
}

// MarshalJSON writes an integer beyond 2^53 as text.
func (r Recipe) MarshalJSON() ([]byte, error) {
	type plain Recipe
	if text := wide(r.Step, r.Int); text != "" {
		r.Int, r.Text = 0, text
	}
	return json.Marshal(plain(r))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Recipe) UnmarshalJSON(b []byte) (err error) {
	type plain Recipe
	if err := json.Unmarshal(b, (*plain)(r)); err != nil {
		return err
	}
	r.Int, r.Text, err = widened(r.Step, r.Int, r.Text)
	return err
}

// Wide is a reading as it goes over the wire: with integers beyond 2^53 as text.
func (r Reading) Wide() Reading {
	if text := wide(string(r.Kind), r.Int); text != "" {
		r.Int, r.Text = 0, text
	}
	if len(r.Items) > 0 {
		items := make([]Reading, len(r.Items))
		for i, item := range r.Items {
			items[i] = item.Wide()
		}
		r.Items = items
	}
	return r
}

// Widened is the reading that Wide was made of, in its place.
func (r *Reading) Widened() (err error) {
	if r.Int, r.Text, err = widened(string(r.Kind), r.Int, r.Text); err != nil {
		return err
	}
	for i := range r.Items {
		if err := r.Items[i].Widened(); err != nil {
			return err
		}
	}
	return nil
}
