package opaque

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The vectors of https://eprint.iacr.org/2013/404, appendix C: words as printed there,
// the highest first.
func TestSpecksPublishedVectors(t *testing.T) {
	t.Run("32/64", func(t *testing.T) {
		vector(t, [4]uint16{0x1918, 0x1110, 0x0908, 0x0100}, [2]uint16{0x6574, 0x694c}, [2]uint16{0xa868, 0x42f2})
	})
	t.Run("64/128", func(t *testing.T) {
		vector(t, [4]uint32{0x1b1a1918, 0x13121110, 0x0b0a0908, 0x03020100},
			[2]uint32{0x3b726574, 0x7475432d}, [2]uint32{0x8c6fa548, 0x454e028b})
	})
	t.Run("128/256", func(t *testing.T) {
		vector(t, [4]uint64{0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100},
			[2]uint64{0x65736f6874206e49, 0x202e72656e6f6f70}, [2]uint64{0x4109010405c0f53e, 0x4eeeb48d9c188f43})
	})
}

func vector[W word](t *testing.T, key [4]W, plain, cipher [2]W) {
	t.Helper()
	s := newSpeck([4]W{key[3], key[2], key[1], key[0]})
	x, y := s.encrypt(plain[0], plain[1])
	assert.Equal(t, cipher, [2]W{x, y})
	x, y = s.decrypt(cipher[0], cipher[1])
	assert.Equal(t, plain, [2]W{x, y})
}
