package opaque

import (
	"math"
	"math/bits"
)

// speck is the cipher Speck64/128 of https://eprint.iacr.org/2013/404: the keys of its 27
// rounds. A block is the words x and y, x above y.
type speck [27]uint32

// newSpeck expands a key, of which the first word is the paper's k0.
func newSpeck(key [4]uint32) *speck {
	s := new(speck)
	k, l := key[0], key[1:]
	for i := range s {
		s[i] = k
		next := (bits.RotateLeft32(l[i%3], -8) + k) ^ uint32(i)
		l[i%3] = next
		k = bits.RotateLeft32(k, 3) ^ next
	}
	return s
}

func (s *speck) encrypt(block uint64) uint64 {
	x, y := uint32(block>>32), uint32(block)
	for _, k := range s {
		x = (bits.RotateLeft32(x, -8) + y) ^ k
		y = bits.RotateLeft32(y, 3) ^ x
	}
	return uint64(x)<<32 | uint64(y)
}

func (s *speck) decrypt(block uint64) uint64 {
	x, y := uint32(block>>32), uint32(block)
	for i := len(s) - 1; i >= 0; i-- {
		y = bits.RotateLeft32(x^y, -3)
		x = bits.RotateLeft32((x^s[i])-y, 8)
	}
	return uint64(x)<<32 | uint64(y)
}

// hide walks along the cipher's cycle from v to the next number of 63 bits. There is one, at
// the latest v itself. As each has a predecessor on the cycle, reveal finds the way back.
func (s *speck) hide(v uint64) uint64 {
	for {
		if v = s.encrypt(v); v <= math.MaxInt64 {
			return v
		}
	}
}

// reveal is the inverse of hide.
func (s *speck) reveal(v uint64) uint64 {
	for {
		if v = s.decrypt(v); v <= math.MaxInt64 {
			return v
		}
	}
}
