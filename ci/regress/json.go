package regress

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a report for programs. README.md describes it.
func WriteJSON(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
