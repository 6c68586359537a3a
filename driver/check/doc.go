// Package check asks a driver, message by message, whether it keeps the protocol,
// and says how to mend what it does not: for whoever writes one.
//
// Not here: whether the implementation behind it keeps its promises, which the
// suite asks, and the protocol itself (package driver).
package check
