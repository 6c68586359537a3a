// Package npy is numpy's file of one array (NEP 1, versions 1 to 3), written and
// read strictly. A header that is read is exactly what the format allows, its
// array fits the file to the byte, and nothing is allocated because a header
// claims it. Types are those of reference/dtype, bfloat16 among them, in either
// byte order and either order of indices. Objects, structures, texts, times and
// long doubles are refused by name: they cannot be compared bit for bit.
//
// What the elements mean is for equivalence/element, two files beside each other
// for equivalence/compare.
package npy
