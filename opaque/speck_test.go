package opaque

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The vector of https://eprint.iacr.org/2013/404, appendix C: words as printed there, the
// highest first.
func TestSpecksPublishedVector(t *testing.T) {
	s := newSpeck([4]uint32{0x03020100, 0x0b0a0908, 0x13121110, 0x1b1a1918})
	assert.Equal(t, uint64(0x8c6fa548_454e028b), s.encrypt(0x3b726574_7475432d))
	assert.Equal(t, uint64(0x3b726574_7475432d), s.decrypt(0x8c6fa548_454e028b))
}
