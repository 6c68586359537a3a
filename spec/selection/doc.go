// Package selection is the language of --only and --require: expressions that
// choose rows of the catalogue.
//
// # Words
//
// The simplest expression is one word:
//
//	ACC-11           a guarantee, with all its cases
//	ACC-11.set       one case of a guarantee
//	EVI              a family
//	SHOULD           a level: MUST, SHOULD or OPT
//	adapter          a layer: manager, adapter, pipeline or config-loader
//
// Letter case does not matter: acc-11.SET and must are words too. A level is
// that of the row itself: MUST chooses ACC-11 and not its case ACC-11.set, which
// is a SHOULD.
//
// # Operators
//
// Words are combined, from the tightest binding to the loosest, with
//
//	!RNG-08                   not
//	EVI && MUST               and
//	EVI-05 || ACC             or
//	EVI-05, EVI-06, ACC-11    or, as a list
//
// and with parentheses:
//
//	(EVI || ACC) && !(OPT || adapter)
//
// A shell gives a meaning of its own to most of these characters. The operators
// are therefore words as well, so that only parentheses need quotes:
//
//	not RNG-08
//	EVI and MUST
//	EVI-05 or ACC and not SHOULD
//
// Two words side by side mean nothing: "EVI MUST" is an error. So is an unknown
// word, which is answered with the nearest known one. The empty expression
// chooses everything. Parentheses and negations nest to a depth of 100.
//
// # Errors
//
// A mistake is a [SyntaxError], which shows the text with a caret under the
// spot:
//
//	unknown word "EVI-5", did you mean EVI-05?
//		MUST && (EVI-5 || ACC)
//		         ^
//
// An expression that is right and chooses nothing ("EVI && ACC") is an error
// of [Select], [ErrNothing].
//
// Not here: which rows a suite asks, and of whom. That a row is chosen does not
// say that it is asked.
package selection
