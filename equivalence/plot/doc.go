// Package plot draws series of bytes over steps as an inline SVG, for a report
// that is one file: what a state holds on either path, as a session gets longer.
// It knows nothing of where the numbers come from, and draws nothing else.
package plot
