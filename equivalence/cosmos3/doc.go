// Package cosmos3 is Cosmos3's encode-once conditioning, implemented twice:
// Bespoke keeps it in plain fields, Managed over a session of the reference
// manager. Both are a State, and to its caller they are the same, refusals
// included.
//
// Of each branch of guidance, positive and negative, a session holds the keys
// and values of every layer and the RoPE frequencies of the tokens that are
// generated. They are encoded on the first forward and reread by all others.
//
//	value                        Bespoke    Managed
//	keys and values of a layer   field      EncodeOnce, one object a layer and branch
//	RoPE frequencies             field      attribute
//	layers of a branch           field      attribute
//
// A Store finds the state of a session id on one path; Choose picks the path
// from a resolved config. Neither a transformer nor a sampler is here. What
// attention keeps of the tokens that it generates is the engine's.
package cosmos3
