// Package artefact reads a file as a list of named values: arrays whose elements
// stay in the file until they are asked for, and plain numbers and texts.
//
//	.npy          one array, without a name
//	.npz          a zip of arrays, stored or deflated
//	.safetensors  a header and tensors one after the other
//	.pt, .pth     a zip with a pickle of tensors, as torch.save writes it since 1.6
//
// The readers are strict: what a format does not allow is refused with a place and
// a reason, nothing is passed over, and no code in a file is ever run. Memory is
// bounded by the file's own size, whatever its headers claim; a compressed member
// is not larger than compression can make it.
//
// Two files are set beside each other by equivalence/compare.
package artefact
