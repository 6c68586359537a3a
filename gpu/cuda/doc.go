// Package cuda puts storages on NVIDIA GPUs: device memory that a
// [github.com/statespec/statespec/reference/tensor.Storage] can lie in, streams
// and events that order work, kernels from PTX text. It stands on
// gorgonia.org/cu and is built with the tag cuda.
//
// In short:
//
//  1. [Unavailable] says in words why there is no device, or nothing.
//  2. [Open] gives a [Device]. Any goroutine may use it.
//  3. [Device.Allocate] gives a [Memory], whose copies are complete when they
//     return. Copies that overlap with other work are queued on a [Stream]
//     between a Memory and [Pinned] host memory.
//  4. [Device.Close] gives everything back and names what was forgotten.
//
// # Order
//
// A nil [Stream] stands for the device's own, which plain copies use as well: they
// see what was queued on it before. Other streams run beside it. Whoever queued
// work there calls Synchronize, or has one stream wait for an event of the other,
// before a plain copy may see the result.
//
// # Life
//
// A Memory has an owner count that begins at one. At none it is given back at
// once, and every later use is [ErrReleased]. One that nobody can reach any more
// is given back as well, some time after a collection, and at the latest when an
// allocation would fail without it. Whichever comes first, it happens once.
//
// # Without the tag
//
// The same names exist without the tag and on machines without a GPU, so that
// specs are compiled everywhere and skip with a reason: [Require] does that. A
// [Simulated] CUDA driver can take the place of a real one; it shows faults of
// this package and of its callers, and nothing about a GPU.
//
// Not here: arithmetic, which lives with the kernels, and any choice of what lies
// on which device.
package cuda
