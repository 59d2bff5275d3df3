package opaque

import "math/bits"

// speck is the cipher Speck64/128 of https://eprint.iacr.org/2013/404: the keys of its 27
// rounds. A block is the words x and y, x above y.
//
// The rounds are written out, since the processor does not foresee the end of a loop:
// waiting for it costs a tenth of the time.
type speck [9][3]uint32

// newSpeck expands a key, of which the first word is the paper's k0.
func newSpeck(key [4]uint32) *speck {
	s := new(speck)
	k, l := key[0], key[1:]
	for i := range uint32(27) {
		s[i/3][i%3] = k
		next := (bits.RotateLeft32(l[i%3], -8) + k) ^ i
		l[i%3] = next
		k = bits.RotateLeft32(k, 3) ^ next
	}
	return s
}

func (s *speck) encrypt(block uint64) uint64 {
	x, y := uint32(block>>32), uint32(block)
	x, y = forth(x, y, &s[0])
	x, y = forth(x, y, &s[1])
	x, y = forth(x, y, &s[2])
	x, y = forth(x, y, &s[3])
	x, y = forth(x, y, &s[4])
	x, y = forth(x, y, &s[5])
	x, y = forth(x, y, &s[6])
	x, y = forth(x, y, &s[7])
	x, y = forth(x, y, &s[8])
	return uint64(x)<<32 | uint64(y)
}

func (s *speck) decrypt(block uint64) uint64 {
	x, y := bits.RotateLeft32(uint32(block>>32), -8), uint32(block)
	x, y = back(x, y, &s[8])
	x, y = back(x, y, &s[7])
	x, y = back(x, y, &s[6])
	x, y = back(x, y, &s[5])
	x, y = back(x, y, &s[4])
	x, y = back(x, y, &s[3])
	x, y = back(x, y, &s[2])
	x, y = back(x, y, &s[1])
	x, y = back(x, y, &s[0])
	return uint64(bits.RotateLeft32(x, 8))<<32 | uint64(y)
}

// forth is three rounds.
func forth(x, y uint32, k *[3]uint32) (uint32, uint32) {
	x = (bits.RotateLeft32(x, -8) + y) ^ k[0]
	y = bits.RotateLeft32(y, 3) ^ x
	x = (bits.RotateLeft32(x, -8) + y) ^ k[1]
	y = bits.RotateLeft32(y, 3) ^ x
	x = (bits.RotateLeft32(x, -8) + y) ^ k[2]
	y = bits.RotateLeft32(y, 3) ^ x
	return x, y
}

// back undoes three rounds. Its x is the cipher's, rotated right by 8: the paper's
// y = ror(x^y, 3) is rol(ror(x, 8)^ror(y, 8), 5), so that y need not wait for the
// rotation of x, and a round is three steps after one another as in forth, not four.
func back(x, y uint32, k *[3]uint32) (uint32, uint32) {
	y = bits.RotateLeft32(bits.RotateLeft32(y, -8)^x, 5)
	x = (bits.RotateLeft32(x, 8) ^ k[2]) - y
	y = bits.RotateLeft32(bits.RotateLeft32(y, -8)^x, 5)
	x = (bits.RotateLeft32(x, 8) ^ k[1]) - y
	y = bits.RotateLeft32(bits.RotateLeft32(y, -8)^x, 5)
	x = (bits.RotateLeft32(x, 8) ^ k[0]) - y
	return x, y
}
