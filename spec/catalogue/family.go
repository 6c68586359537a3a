package catalogue

import "slices"

// A Family is a group of guarantees on one topic, named by three letters.
type Family struct {
	Code  string `json:"code"`  // "ACC"
	Title string `json:"title"` // "byte accounting"
}

// family is a Family with its rows: by number, a guarantee before its cases.
type family struct {
	Family
	asked string // suite version from which its rows are asked; empty: from Since
	rows  func() []Row
}

// families are all of them, in the order of every listing.
func families() []family {
	return []family{
		{Family{"ENV", "switch and precedence"}, "", environment},
		{Family{"OFF", "the default path"}, "", off},
		{Family{"OBJ", "one state object's lifecycle"}, "", objects},
		{Family{"ATT", "attributes"}, "", attributes},
		{Family{"EVI", "sessions and eviction"}, "", eviction},
		{Family{"ACC", "byte accounting"}, "", accounting},
		{Family{"PRK", "parking"}, "0.3", parking},
		{Family{"RNG", "bounded buffers and the encoder ring"}, "", ring},
		{Family{"EQV", "the managed path equals the bespoke path"}, "0.2", equivalence},
	}
}

// Families lists the families, in catalogue order.
func Families() []Family {
	var fs []Family
	for _, f := range families() {
		fs = append(fs, f.Family)
	}
	return slices.Clip(fs)
}
