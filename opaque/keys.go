package opaque

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// ErrKey is wrapped by ParseKeys for invalid keys, and by everything that hides or reveals
// when the key for it is missing.
var ErrKey = errors.New("opaque: missing or invalid key")

const (
	// secretSize is how many bytes a secret has.
	secretSize = 16

	// maxKey is the largest number of a key: two bits of a text.
	maxKey = 3
)

// Keys hides ids with one key, and reveals those that any of several has hidden. It does not
// change, so any number of goroutines may use it. The methods of a nil *Keys return ErrKey.
type Keys struct {
	current int // the number of the key that hides
	ciphers [maxKey + 1]*speck
	plain   bool // ids that were shown unencrypted may be read
}

// ParseKeys reads keys from the text of an environment variable or a file: for each key its
// number, 1 to 3, a colon and the secret, 16 random bytes in hexadecimal digits, as
// `openssl rand -hex 16` prints them. Keys are separated by commas or blanks. The first one
// hides; all of them reveal what they have hidden. A 0 alone, after the first key, allows
// reading ids that were shown unencrypted. Errors wrap ErrKey, and never contain a secret.
//
//	2:000102030405060708090a0b0c0d0e0f,1:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff,0
//
// To rotate the key of several programs, first add the new key behind the present one in all of
// them, and then move it to the front.
func ParseKeys(s string) (*Keys, error) {
	fields := strings.FieldsFunc(s,
		func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	if len(fields) == 0 {
		return nil, fmt.Errorf("%w: the list of keys is empty", ErrKey)
	}
	keys := new(Keys)
	for i, field := range fields {
		text, digits, _ := strings.Cut(field, ":")
		number, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(number) != text || number == 0 && field != "0" {
			return nil, fmt.Errorf("%w: key %d of the list has no number of 1 to %d: want NUMBER:SECRET",
				ErrKey, i+1, maxKey)
		}
		secret, err := hex.DecodeString(digits)
		if err != nil {
			return nil, fmt.Errorf("%w: the secret of key %d is not in hexadecimal digits", ErrKey, number)
		}
		if err := keys.add(number, secret); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// add adds a key; the first one hides.
func (k *Keys) add(number int, secret []byte) error {
	switch {
	case number == 0 && k.current == 0:
		return fmt.Errorf("%w: the first key has no number, want 1 to %d", ErrKey, maxKey)
	case number == 0:
		k.plain = true
		return nil
	case number < 1 || number > maxKey:
		return fmt.Errorf("%w: key %d: want a number of 1 to %d", ErrKey, number, maxKey)
	case k.ciphers[number] != nil:
		return fmt.Errorf("%w: there are two keys %d", ErrKey, number)
	case len(secret) != secretSize:
		return fmt.Errorf("%w: the secret of key %d has %d bytes, want %d random bytes", ErrKey,
			number, len(secret), secretSize)
	case bytes.Count(secret, secret[:1]) == secretSize:
		return fmt.Errorf("%w: the secret of key %d is the same byte %d times: want random bytes", ErrKey,
			number, secretSize)
	}
	var words [4]uint32
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(secret[4*i:])
	}
	cipher := newSpeck(words)
	for other, c := range k.ciphers {
		if c != nil && *c == *cipher {
			return fmt.Errorf("%w: keys %d and %d have one secret: want another", ErrKey, other, number)
		}
	}
	k.ciphers[number] = cipher
	k.current = cmp.Or(k.current, number)
	return nil
}

// Hide encrypts an id with the current key. For a negative number, which is not an id, the
// error wraps uid.ErrRange.
func (k *Keys) Hide(id uid.ID) (ID, error) {
	if k == nil || k.current == 0 {
		return ID{}, fmt.Errorf("%w: there are no keys", ErrKey)
	}
	if id < 0 {
		return ID{}, fmt.Errorf("%w: id %d is negative", uid.ErrRange, int64(id))
	}
	return ID{Number: uid.ID(k.ciphers[k.current].hide(uint64(id))), Key: k.current}, nil
}

// Reveal decrypts an id. Errors wrap ErrKey when its key is missing, and uid.ErrRange for
// a negative number. There are no other errors: each number is some id.
func (k *Keys) Reveal(shown ID) (uid.ID, error) {
	if err := shown.check(); err != nil {
		return 0, err
	}
	switch {
	case k == nil:
		return 0, fmt.Errorf("%w: there are no keys", ErrKey)
	case shown.Key == 0 && k.plain:
		return shown.Number, nil
	case shown.Key == 0:
		return 0, fmt.Errorf("%w: the id is not hidden, and only hidden ids are accepted", ErrKey)
	case k.ciphers[shown.Key] == nil:
		return 0, fmt.Errorf("%w: hidden by key %d, which these keys do not have", ErrKey, shown.Key)
	}
	return uid.ID(k.ciphers[shown.Key].reveal(uint64(shown.Number))), nil
}
