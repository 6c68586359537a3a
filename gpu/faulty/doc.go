// Package faulty holds faulty subjects that only a device can show: the reference on
// a CUDA device with one promise of device memory broken. What they break is asked by
// the same specs as on the host.
//
// Not here: faults of a manager (spec/faulty), faults of the CUDA driver, which
// simulated CUDA makes on demand.
package faulty
