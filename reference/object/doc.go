// Package object holds state objects: units of session state with one
// lifecycle (allocate, commit or stage, view, evict, reset, count). LatentBuffer
// accumulates, EncodeOnce replaces; anything else that implements StateObject
// may stand beside them in a session. Sessions, caps and eviction policy are
// package manager's; an object knows no session.
//
// Every object here is safe for concurrent use. Errors are kinds of package
// fault; a refused call has changed nothing.
package object
