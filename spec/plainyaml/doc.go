// Package plainyaml reads files that people write in YAML of the plain kind: maps,
// lists, text, numbers, true and false. It is strict, and says of every mistake
// where it is and what would be right:
//
//	known.yaml:3:7: unknown key "lnk" of an expectation; did you mean link?
//
// A reader says what it asks of any file (Format), gets the one document in it, and
// asks each Node for what it has to be. A node that is something else says so to
// the file's Problems and answers with a zero value, so that reading goes on and
// one error lists all mistakes:
//
//	var th Thresholds
//	p := plainyaml.Problems{Path: path}
//	if root, ok := format.Parse(data, &p); ok {
//		fields, _ := root.Fields("a thresholds file", "alpha", "rules")
//		if n, ok := fields.Get("alpha"); ok {
//			if th.Alpha = n.Number("alpha"); th.Alpha > 1 {
//				n.Problem("alpha %q, want at most 1", n.Written())
//			}
//		}
//	}
//	return th, p.Err()
//
// Refused is all that makes YAML more than it seems: anchors, aliases, tags, merges,
// ? keys, directives, a second document, a key twice, tabs in text without quotes
// (the parser would drop them), bytes that are not UTF-8, and files larger or nested
// deeper than their reader allows. Numbers stay as they are written, so that a
// version 0.10 is not 0.1.
//
// Not here: what the keys of a file mean, and other people's YAML, which may be of
// any kind (package reference/config). Nothing is written here either.
package plainyaml
