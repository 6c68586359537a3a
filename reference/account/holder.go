package account

// A Holder says what it holds instead of being walked field by field. It
// names values, another Holder included, by handing them to visit, which only
// notes them; it does not call that one's VisitHeld itself.
//
// A Holder may lock a mutex of its own while it does so. The walk asks it
// under the lock of the Root that led to it, a session's say, and, when a
// Steady led to it, under that one's guard. So whoever holds the Holder's
// mutex must not wait for those: not call that session, nor change that
// Steady. Any other Steady it may change, also one that it names.
type Holder interface{ VisitHeld(visit func(any)) }

// An Opaque holds storage that it cannot measure. What Unmeasurable returns
// is listed in Report.Unmeasured; an empty text is listed by its type.
type Opaque interface{ Unmeasurable() string }

// A Root keeps its own content still while it walks it with w, as a session
// does with its lock. A Root that is met inside another is walked after it:
// no two Roots are ever still at once, so Roots may hold each other.
type Root interface{ WalkHeld(w *Walker) }
