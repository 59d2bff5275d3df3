package uid

import (
	"fmt"
	"strings"
)

// crockford is the alphabet of Douglas Crockford's base 32: the ten digits and
// the letters without I, L, O and U. Its order is that of ASCII, so that texts
// sort as the ids do. https://www.crockford.com/base32.html
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// base32Len characters of five bits hold the 63 bits of an id; the first one
// holds the upper three, and is therefore 0 to 7.
const base32Len = 13

// Base32 returns the id in 13 characters of Crockford's base 32, in upper case,
// with leading zeros. The texts sort as the ids do, and are safe in URLs and
// file names.
func (id ID) Base32() string {
	var b [base32Len]byte
	v := uint64(id)
	for i := base32Len - 1; i >= 0; i-- {
		b[i] = crockford[v&31]
		v >>= 5
	}
	return string(b[:])
}

// ParseBase32 reads what ID.Base32 writes. As Crockford asks of a decoder, it accepts
// both cases, I and L for 1, and O for 0; but no hyphens, and only 13 characters. Errors
// wrap ErrSyntax.
func ParseBase32(s string) (ID, error) {
	if len(s) != base32Len {
		return 0, fmt.Errorf("%w: %q has %d characters, base 32 has %d", ErrSyntax, clip(s), len(s),
			base32Len)
	}
	var v uint64
	for i := range base32Len {
		d := base32Digit(s[i])
		if d < 0 {
			return 0, fmt.Errorf("%w: %q is not of Crockford's base 32 (%s) at character %d", ErrSyntax, s,
				crockford, i+1)
		}
		v = v<<5 | uint64(d)
	}
	if s[0] > '7' && base32Digit(s[0]) > 7 {
		return 0, fmt.Errorf("%w: %q is above 2^63-1, the first character is 0 to 7", ErrSyntax, s)
	}
	return ID(v), nil
}

// base32Digit returns the value of a character, or -1.
func base32Digit(c byte) int {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	switch c {
	case 'O':
		c = '0'
	case 'I', 'L':
		c = '1'
	}
	return strings.IndexByte(crockford, c)
}
