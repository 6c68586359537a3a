// Package catalogue is the table of guarantees: what a session state manager
// promises, as data. Every listing, label, report row and document is derived
// from it. A row is one guarantee ("ACC-11") or one case of it ("ACC-11.set"),
// with its level, the layer it is asked of, the capabilities that it needs, and
// three sentences: what is promised, why a user cares, where the document says
// it. One file holds one family.
//
// Rules of the table:
//
//   - An ID is permanent: never renumbered, never used again for another
//     promise. testdata/ids.txt holds every ID ever given.
//   - A guarantee and its cases are separate rows, each with a spec of its own.
//     The row of a guarantee that has cases asks what its cases do not.
//   - A MUST stands only where the document says so. What follows from the
//     lifecycle contract or from hygiene is a SHOULD, and says which.
//   - A row whose layer or capabilities a subject does not claim is not asked.
//
// Not here: the specs that ask (the topic packages), how rows are chosen
// (package selection), what came of asking (package verdict).
package catalogue
