// Package manager maps session ids to sessions and sessions to state: named
// state objects, which the manager can act on, and attributes, which it only
// carries. It retains a capped number of sessions, least recently used out
// first, and reports what they hold by device. It records a byte budget and
// enforces none.
//
// Three locks, always taken in this order: the manager's, over the table and
// the counters; a session's, over its two maps and the content of its
// attributes; an object's own. None is held while code of the caller runs,
// save in Update and Edit, and while a count asks a value what it holds: there
// the session must not be called back.
// What the switch and the environment decide is package config's.
package manager
