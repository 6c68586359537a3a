package account

// A Holder says what it holds instead of being walked field by field. It
// calls visit for each value, and visit only notes it: a Holder may keep its
// own lock while it does so.
type Holder interface{ VisitHeld(visit func(any)) }

// An Opaque holds storage that it cannot measure. What Unmeasurable returns
// is listed in Report.Unmeasured; an empty text is listed by its type.
type Opaque interface{ Unmeasurable() string }

// A Root keeps its own content still while it walks it with w, as a session
// does with its lock. A Root that is met inside another is walked after it:
// no two Roots are ever still at once, so Roots may hold each other.
type Root interface{ WalkHeld(w *Walker) }
