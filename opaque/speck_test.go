package opaque

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is Speck as the paper has it, of any size: what speck is compared with.
type model[W word] []W

// word is half a block. Published are 16, 32 and 64 bits, each with a key of four words
// (and others that are not here); 8 bits are for a test that looks at every block.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

func newModel[W word](key [4]W) model[W] {
	rounds := map[int]int{8: 22, 16: 22, 32: 27, 64: 34}[size[W]()]
	right, left := rotations[W]()
	keys := make([]W, rounds)
	k, l := key[0], key[1:]
	for i := range keys {
		keys[i] = k
		next := (k + ror(l[i%3], right)) ^ W(i)
		l[i%3] = next
		k = rol(k, left) ^ next
	}
	return keys
}

func (m model[W]) words(x, y W) (W, W) {
	right, left := rotations[W]()
	for _, k := range m {
		x = (ror(x, right) + y) ^ k
		y = rol(y, left) ^ x
	}
	return x, y
}

func (m model[W]) back(x, y W) (W, W) {
	right, left := rotations[W]()
	for i := len(m) - 1; i >= 0; i-- {
		y = ror(x^y, left)
		x = rol((x^m[i])-y, right)
	}
	return x, y
}

func (m model[W]) encrypt(block uint64) uint64 { return join(m.words(split[W](block))) }
func (m model[W]) decrypt(block uint64) uint64 { return join(m.back(split[W](block))) }

// rotations are by how many bits a round rotates.
func rotations[W word]() (right, left int) {
	if size[W]() <= 16 {
		return 7, 2
	}
	return 8, 3
}

// size is the bits of a word.
func size[W word]() int { return 8 * int(unsafe.Sizeof(W(0))) }

func rol[W word](x W, n int) W { return x<<n | x>>(size[W]()-n) }
func ror[W word](x W, n int) W { return x>>n | x<<(size[W]()-n) }

// split makes a block of a number; x is its upper half.
func split[W word](v uint64) (x, y W) { return W(v >> size[W]()), W(v) }
func join[W word](x, y W) uint64      { return uint64(x)<<size[W]() | uint64(y) }

// The vectors of https://eprint.iacr.org/2013/404, appendix C: words as printed there,
// the highest first.
func TestSpecksPublishedVectors(t *testing.T) {
	t.Run("32/64", func(t *testing.T) {
		vector(t, [4]uint16{0x1918, 0x1110, 0x0908, 0x0100}, [2]uint16{0x6574, 0x694c},
			[2]uint16{0xa868, 0x42f2})
	})
	t.Run("64/128", func(t *testing.T) {
		vector(t, [4]uint32{0x1b1a1918, 0x13121110, 0x0b0a0908, 0x03020100},
			[2]uint32{0x3b726574, 0x7475432d}, [2]uint32{0x8c6fa548, 0x454e028b})

		s := newSpeck([4]uint32{0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918})
		assert.Equal(t, uint64(0x8c6fa548_454e028b), s.encrypt(0x3b726574_7475432d))
		assert.Equal(t, uint64(0x3b726574_7475432d), s.decrypt(0x8c6fa548_454e028b))
	})
	t.Run("128/256", func(t *testing.T) {
		vector(t, [4]uint64{0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908,
			0x0706050403020100},
			[2]uint64{0x65736f6874206e49, 0x202e72656e6f6f70},
			[2]uint64{0x4109010405c0f53e, 0x4eeeb48d9c188f43})
	})
}

func vector[W word](t *testing.T, key [4]W, plain, cipher [2]W) {
	t.Helper()
	m := newModel([4]W{key[3], key[2], key[1], key[0]})
	x, y := m.words(plain[0], plain[1])
	assert.Equal(t, cipher, [2]W{x, y})
	x, y = m.back(cipher[0], cipher[1])
	assert.Equal(t, plain, [2]W{x, y})
}

func TestSpeckIsItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := [4]uint32(draw4(t, rapid.Uint32()))
		s, m := newSpeck(key), newModel(key)
		block := rapid.Uint64().Draw(t, "block")
		require.Equal(t, m.encrypt(block), s.encrypt(block))
		require.Equal(t, m.decrypt(block), s.decrypt(block))
	})
}
