// Package spec defines the Subject port: what a session state manager under
// test looks like to the specs, and the only thing that a spec may touch.
//
// The port is eight small interfaces over plain data:
//
//	Subject   one running implementation, in one environment
//	Manager   the table of retained sessions
//	Session   one session, held
//	Object    one state object, held
//	Value     anything a session can carry: a tensor, a view, a container
//	Model     a model that keeps state per session: DreamZero, Cosmos3
//	State     one session's state as such a model sees it, held
//	Handle    what all of them but Subject are: held until released
//
// Rules that hold for all of them:
//
//   - Every method is one operation of the table in package op, with the same
//     arguments. Nothing can be observed in process that cannot be observed
//     over a pipe, and the reverse.
//   - Data goes in as data (recipes, specs, edits) and comes out as data
//     (readings, states, statistics). Only the interfaces are handles.
//   - Holding a handle is holding the thing: a session whose handle is not
//     released is a session with a holder. Release ends that, and only that.
//   - There is no "same object?" in the port. Two handles are of one thing when
//     what is written through one is read through the other.
//   - A refusal is an error that the implementation raised. Refused or not is
//     what a MUST asks; the [Kind] is a promise of its own. A subject that
//     panicked, died, hung or answered nonsense has not refused.
//   - What a subject can do it claims in [Hello]. An unclaimed method answers
//     [Unsupported], as those of [MinimalSubject] and its siblings do, which a
//     small adapter embeds.
//
// Not here: how a subject is driven (package op), what it has to promise
// (package catalogue), how specs are written (package suite). The port imports
// nothing of this module, so that an implementer links no test library.
package spec
