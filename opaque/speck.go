package opaque

import "unsafe"

// word is half a block. Published are 16, 32 and 64 bits, each with a key of four words
// (and others that are not here); 8 bits are for a test that looks at every block.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// speck is the cipher of https://eprint.iacr.org/2013/404: its round keys.
type speck[W word] []W

// newSpeck expands a key, of which the first word is the paper's k0.
func newSpeck[W word](key [4]W) speck[W] {
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

func (s speck[W]) encrypt(x, y W) (W, W) {
	right, left := rotations[W]()
	for _, k := range s {
		x = (ror(x, right) + y) ^ k
		y = rol(y, left) ^ x
	}
	return x, y
}

func (s speck[W]) decrypt(x, y W) (W, W) {
	right, left := rotations[W]()
	for i := len(s) - 1; i >= 0; i-- {
		y = ror(x^y, left)
		x = rol((x^s[i])-y, right)
	}
	return x, y
}

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
