// Package bwmarrin reads and writes the texts that github.com/bwmarrin/snowflake makes of
// ids, so that URLs made with it continue to work.
//
//	text := bwmarrin.Format(1541815603606036480, 58) // 4zzv4rZaYpj, of ID.Base58
//	id, err := bwmarrin.Parse(text, 58)              // of ParseBase58
//	if err != nil {
//		return err // a text that is not an id
//	}
//
// The base is 2, 32 (z-base-32's digits), 36, 58 (Flickr's) or 64, which is the decimal digits in
// base 64, with padding. The texts are those of v0.3.0, digit by digit, for every id from 0 to
// 2^63-1. Parse reads these, also with leading zeros, and base 36 in both cases. Anything else is
// an error, where the original returns ids for some of it: in base 32 and 58 an empty text is 0,
// most characters that are not digits count as the digit 0 ("BY" in base 32 is 0), and a number
// above 2^63-1 is truncated; base 2, 36 and 64 accept a sign, and base 64 accepts line breaks.
//
// Base 32 here is not that of opaque.ID: the alphabet differs, and the texts have no
// fixed length. These texts do not sort in the order of the ids. In base 58 and 64 a and A differ:
// keep such texts in a column with a binary collation.
package bwmarrin

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/internal/idtext"
	"github.com/ringuid/ringuid/uid"
)

// alphabets are those of snowflake.go: z-base-32's, and Flickr's base 58.
var alphabets = map[int]string{
	32: "ybndrfg8ejkmcpqxot1uwisza345h769",
	58: "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ",
}

// Format returns the text of an id in a base, without leading zeros. It panics for another base
// than the five.
func Format(id uid.ID, base int) string {
	switch {
	case base == 2 || base == 36:
		return strconv.FormatUint(uint64(id), base)
	case base == 64:
		return base64.StdEncoding.EncodeToString(strconv.AppendUint(nil, uint64(id), 10))
	case alphabets[base] != "":
		return format(id, alphabets[base])
	}
	panic("bwmarrin: the base is 2, 32, 36, 58 or 64, not " + strconv.Itoa(base))
}

// Parse reads a text that Format returns for the base. Errors wrap uid.ErrSyntax, for another
// base too, and uid.ErrRange as well above 2^63-1.
func Parse(s string, base int) (uid.ID, error) {
	switch {
	case base == 2 || base == 36:
		return parseStandard(s, base)
	case base == 64:
		digits, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil || strings.ContainsAny(s, "\r\n") {
			return 0, notOf(s, base)
		}
		return uid.ParseID(string(digits))
	}
	return parse(s, base)
}

// format writes an id in the digits of an alphabet.
func format(id uid.ID, alphabet string) string {
	base := uint64(len(alphabet))
	var b [64]byte
	i := len(b)
	for v := uint64(id); ; v /= base {
		i--
		b[i] = alphabet[v%base]
		if v < base {
			return string(b[i:])
		}
	}
}

// parse reads an id in the digits of an alphabet.
func parse(s string, base int) (uid.ID, error) {
	var v uint64
	for i := range len(s) {
		digit := strings.IndexByte(alphabets[base], s[i])
		if digit < 0 {
			return 0, notOf(s, base)
		}
		high, low := bits.Mul64(v, uint64(base))
		v = low + uint64(digit)
		if high > 0 || v > math.MaxInt64 || v < low {
			return 0, tooLarge(s)
		}
	}
	if s == "" {
		return 0, notOf(s, base)
	}
	return uid.ID(v), nil
}

// parseStandard reads a number in the digits of package strconv.
func parseStandard(s string, base int) (uid.ID, error) {
	v, err := strconv.ParseUint(s, base, 63)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, tooLarge(s)
	case err != nil:
		return 0, notOf(s, base)
	}
	return uid.ID(v), nil
}

func notOf(s string, base int) error {
	return fmt.Errorf("%w: %q is not in bwmarrin's base %d", uid.ErrSyntax, idtext.Clip(s), base)
}

func tooLarge(s string) error {
	return fmt.Errorf("%w: %q: %w: an id is at most 2^63-1", uid.ErrSyntax, idtext.Clip(s),
		uid.ErrRange)
}
