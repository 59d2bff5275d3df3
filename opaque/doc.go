// Package opaque hides ids that are shown: in a URL, in a JSON body, on an invoice.
//
//	keys, err := opaque.ParseKeys(os.Getenv("ORDER_KEYS")) // 1:0001...0f
//	shown, err := keys.Hide(id)    // 538815673191686144 as ecscm65krsxa8
//	id, err := keys.Reveal(shown)
//
// An id shows when and by which worker it was made, and two ids show how many were made in
// between. A key turns an id into another number of 63 bits, which shows none of that, and back.
// The database keeps the id itself, so that rows stay in time order; only what leaves the
// program is hidden. Package typeid does this with a type's methods.
//
// Hiding permutes the numbers 0 to 2^63-1: different ids are shown as different numbers, none is
// longer than before, and nothing is stored. The cipher is Speck64/128 as published (Beaulieu,
// Shors, Smith, Treatman-Clark, Weeks, Wingers, https://eprint.iacr.org/2013/404; also ISO/IEC
// 29167-22), whose test vectors are tests here. A result of more than 63 bits is encrypted again,
// until it has 63. This cycle walking (Black, Rogaway, Ciphers with Arbitrary Finite Domains,
// CT-RSA 2002) takes two encryptions on average, and is as strong as the cipher.
//
// Hiding is not authentication: any 63 bits reveal some number, which may be another user's id.
// Check permissions on each request as if ids were public. And it is only for ids: equal ids look
// equal under one key, and 64-bit blocks are too short for text.
//
// A number alone does not say which key made it, since every key reveals something. So an ID has
// the number of its key, and its text and its UUID contain both: the 13 characters of a text hold
// 65 bits, which leaves room for the keys 1 to 3. A fourth key reuses the number of one whose
// URLs may stop working.
package opaque
