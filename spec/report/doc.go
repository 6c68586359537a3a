// Package report writes the results of a run for those who read them:
//
//	results.json  programs; the source of the rest, described in SCHEMA.md
//	junit.xml     CI servers
//	summary.md    a CI job's summary page
//	badge.svg     a README
//	artefacts/    whoever looks into one spec; what specs kept, if any did
//	the terminal  the person who started the run
//
// Every writer takes verdict.Results and nothing else, so that no report can say
// what another does not, and any can be made again from results.json. A [Folder]
// holds the files of one run, and never those of two.
//
// Not here: what a verdict is and which exit code follows (package verdict).
package report
