// Package readme is where the tests of the root package put README's Go code to
// compile it.
package readme
