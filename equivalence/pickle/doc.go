// Package pickle reads the part of Python's pickles (protocols 2 to 5) that data
// are made of: dictionaries, lists, tuples, numbers, texts, truths and None. No
// code is ever run. What else a pickle names, a Host may know: globals by name,
// their calls by value, persistent ids. Everything that neither knows is refused
// with its opcode and its place.
//
// Memory is bounded by the pickle's length: no opcode allocates what its argument
// merely claims.
package pickle
