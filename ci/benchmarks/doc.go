// Package benchmarks is the list of what the project promises to be fast at, each
// beside the control that it is measured by, with the target.
//
//	Hit, HitFromTwo, MissWithEviction, MissFromTwo    a strict LRU cache
//	AttrRead, AttrWrite                               a map under a mutex
//	Stats                                             a walk over the same storages
//	Ring, Frames, EncoderStepCopies                   the copies they cannot do without
//	EncoderStep, Session                              themselves, at the start of a session
//	Compare, ReadArray                                bytes.Equal, os.ReadFile
//	Request, Trace                                    a line through cat; one request each
//	Conformance                                       none: seconds
//
// With [Options].Long come artefacts of a GiB, the conformance run and the growth
// curves: minutes.
// The bodies are measured by package paired, which is the gate, and by go test
// -bench, which is for profiles. [Targets] holds recordings against the targets.
//
// Not here: what drivers in other languages take (package driver/bench), other
// caches (ci/peers), and devices (package gpu).
package benchmarks
