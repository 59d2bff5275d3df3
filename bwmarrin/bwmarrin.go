// Package bwmarrin reads and writes the texts that github.com/bwmarrin/snowflake makes of
// ids, so that URLs made with it continue to work.
//
//	text := bwmarrin.Base58(1541815603606036480) // 4zzv4rZaYpj
//	id, err := bwmarrin.ParseBase58(text)
//	if err != nil {
//		return err // a text that is not an id
//	}
//
// The functions have the same names. The texts are those of v0.3.0, digit by digit, for every
// id from 0 to 2^63-1. The parsers read these, also with leading zeros, and base 36 in both
// cases. Anything else is an error, where the original returns ids for some of it: in base 32
// and 58 an empty text is 0, most characters that are not digits count as the digit 0
// (ParseBase32 of "BY" is 0), and a number above 2^63-1 is truncated; base 2, 36 and 64 accept
// a sign, and base 64 accepts line breaks.
//
// Base 32 here is not that of opaque.ID: the alphabet differs, and the texts have no
// fixed length. These texts do not sort in the order of the ids.
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

// The alphabets of snowflake.go: z-base-32's, and Flickr's base 58.
const (
	alphabet32 = "ybndrfg8ejkmcpqxot1uwisza345h769"
	alphabet58 = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
)

// Base2 returns the id in binary digits, without leading zeros.
func Base2(id uid.ID) string { return strconv.FormatUint(uint64(id), 2) }

// Base32 returns the id in z-base-32's digits, without leading zeros.
func Base32(id uid.ID) string { return format(id, alphabet32) }

// Base36 returns the id in the digits 0 to 9 and a to z, without leading zeros.
func Base36(id uid.ID) string { return strconv.FormatUint(uint64(id), 36) }

// Base58 returns the id in Flickr's digits of base 58, without leading zeros.
func Base58(id uid.ID) string { return format(id, alphabet58) }

// Base64 returns the decimal digits of the id in the standard encoding of base 64, with
// padding.
func Base64(id uid.ID) string {
	return base64.StdEncoding.EncodeToString(strconv.AppendUint(nil, uint64(id), 10))
}

// ParseBase2 reads binary digits. Errors wrap uid.ErrSyntax, and uid.ErrRange too above
// 2^63-1.
func ParseBase2(s string) (uid.ID, error) { return parseStandard(s, 2) }

// ParseBase32 reads what Base32 writes; its errors are those of ParseBase2.
func ParseBase32(s string) (uid.ID, error) { return parse(s, alphabet32) }

// ParseBase36 reads what Base36 writes, in either case; its errors are those of ParseBase2.
func ParseBase36(s string) (uid.ID, error) { return parseStandard(s, 36) }

// ParseBase58 reads what Base58 writes; its errors are those of ParseBase2.
func ParseBase58(s string) (uid.ID, error) { return parse(s, alphabet58) }

// ParseBase64 reads what Base64 writes; its errors are those of ParseBase2.
func ParseBase64(s string) (uid.ID, error) {
	digits, err := base64.StdEncoding.DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return 0, fmt.Errorf("%w: %q is not in base 64", uid.ErrSyntax, idtext.Clip(s))
	}
	return uid.ParseID(string(digits))
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
func parse(s, alphabet string) (uid.ID, error) {
	var v uint64
	for i := range len(s) {
		digit := strings.IndexByte(alphabet, s[i])
		if digit < 0 {
			return 0, notOf(s, len(alphabet))
		}
		high, low := bits.Mul64(v, uint64(len(alphabet)))
		v = low + uint64(digit)
		if high > 0 || v > math.MaxInt64 || v < low {
			return 0, tooLarge(s)
		}
	}
	if s == "" {
		return 0, notOf(s, len(alphabet))
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
