// Package manager maps session ids to sessions and sessions to state: named
// state objects, which the manager can act on, and attributes, which it only
// carries. It retains a capped number of sessions, least recently used out
// first, and reports what they hold by device. It records a byte budget and
// enforces none.
//
// Three kinds of lock, always taken in this order: the manager's, over the
// table and the counters; a session's, over its two maps and the content of
// its attributes; an object's own, its guard. A count under ConsistentStats
// holds several sessions' locks, taken in the order of ids, and every count
// several guards, in the order of addresses; it takes no session's lock when it
// holds a guard.
//
// Code of the caller runs without any of them, with these exceptions. Update
// and Edit run it under the session's lock. So does a count that asks a value
// or an object what it holds (account.Holder, account.Opaque, BytesByDevice),
// and GetOrCreate when it asks once more whether an object is resident. Under
// guards runs what account.Steady says it holds, and what that leads to. There
// the session must not be called back, and who holds a lock that such code
// waits for must not wait for the session, or under guards for the object.
// What the switch and the environment decide is package config's.
package manager
