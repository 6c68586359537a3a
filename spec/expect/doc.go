// Package expect reads and writes expectation files: what a subject is known to
// break, so that a run fails on news only.
//
//	suite: "0.1"              # version of the suite that this was written for
//	subject: vllm-omni        # for the reader
//	expectations:
//	  - id: ACC-11
//	    cases: [set, record]  # only these; the rest of the guarantee has to hold
//	    when: {device: "cuda:0", dtype: float32, version: ">=0.3 <0.5"}
//	    outcome: crashed      # or hung; without it: broken
//	    reason: sets count zero
//	    link: https://example.org/issues/12
//
// Without cases an entry covers the whole guarantee, of which at least one row
// has to be broken. With cases it covers exactly those, each of which has to be
// broken; "cases: []" is the guarantee's own row alone. A covered row that holds
// is stale, and fails the run: a list that only grows is worth nothing. An entry
// whose rows were not asked is listed as unused. A row newer than the file's
// suite is new when it breaks, which is reported and does not fail.
//
// All keys of when have to hold. A device without an index ("cuda") is every
// device of that kind, a dtype is one that the subject says it has, a version is
// bounds that all have to hold. Device and dtype may be lists: any of them.
//
// A file is checked whole, and every mistake in it is reported with its line, its
// column and what would be right. Not here: how plain YAML is read (package
// plainyaml), and what an expectation does to a verdict (package verdict).
package expect
