// Package compare sets two artefacts, or two folders of them, beside each other,
// bit for bit. It works in this order:
//
//  1. paths: which files belong together, and in which order they are told
//     (folder, manifest, order)
//  2. values: which named values of two files belong together (pair)
//  3. elements: where two arrays differ, over windows of the files, in memory that
//     grows neither with them nor with their shapes (packed, strided, lanes)
//  4. what is told of it: first divergence, count, distances, axes, a map (tally,
//     heat)
//  5. the report, as text, JSON and HTML
//
// Bits decide: two NaN with other payloads differ, and so do -0 and +0. Tolerances
// are reported beside the verdict and never change it. What a file's format means
// is for equivalence/artefact, who wrote the files and why is for whoever asks.
package compare
