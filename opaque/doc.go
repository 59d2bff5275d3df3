// Package opaque hides ids that are shown: in a URL, in a JSON body, on an invoice.
//
// An id says when and by which worker it was made, and two of them say how many were
// made in between. A key turns it into another number of 63 bits, which says none of
// that, and back:
//
//	keys, err := opaque.NewKeys(opaque.Key{Number: 1, Secret: secret})
//	shown, err := keys.Hide(id)    // 538815673191686144 as ecscm65krsxa8
//	id, err := keys.Reveal(shown)
//
// The database keeps the id itself, so that rows stay in the order of time; only what
// leaves the program is hidden. Package typeid does that by a type's methods.
//
// # What it is
//
// A permutation of the numbers 0 to 2^63-1: different ids are shown as different
// numbers, none is longer than before, and nothing is stored. Without the key nobody
// reads the time, the worker or the count in it, or names the id before or after.
//
// The cipher is Speck64/128 as published (Beaulieu, Shors, Smith, Treatman-Clark,
// Weeks, Wingers, https://eprint.iacr.org/2013/404; also ISO/IEC 29167-22), whose test
// vectors are tests here. Its blocks have 64 bits. A result above 63 bits is encrypted
// again, until one is not: cycle walking (Black, Rogaway, Ciphers with Arbitrary Finite
// Domains, CT-RSA 2002), two encryptions on average. What is left of a permutation of
// the 64 bits is one of the 63, as strong as the cipher.
//
// # What it is not
//
// It is no authentication. A shown number is not signed: any 63 bits reveal some number,
// and one of them may be another's id. Look at rights for each request as if ids were
// public. It is not for more than ids: equal ids are shown equally under one key, and
// 64-bit blocks are too short for texts.
//
// # Which key
//
// 63 bits that come from 63 bits have no room for anything else, so a number alone does
// not tell which key made it: every key reveals something. Guessing by what looks like a
// sensible id would be wrong now and then, and then it is the wrong row. So an ID has the
// key's number beside its own, and its text and its UUID have both: the text's 13
// characters hold 65 bits. That leaves room for the keys 1 to 3. To rotate, put a new one
// in front and keep the others for what was shown before; a fourth key takes the
// number of one whose URLs may end.
package opaque
