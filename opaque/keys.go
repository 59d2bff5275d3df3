package opaque

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// ErrKey is wrapped by NewKeys and ParseKeys for invalid keys, and by everything that
// hides or reveals when the key for it is missing.
var ErrKey = errors.New("opaque: missing or invalid key")

const (
	// secretSize is how many bytes a secret has.
	secretSize = 16

	// maxKey is the largest number of a key: two bits of a text.
	maxKey = 3
)

// Key is a secret and the number by which shown ids name it. It does not print its
// secret, but where it is in an unexported field of a struct that is printed, of which
// package fmt calls no methods: keep [Keys] there.
//
// The zero Key stands for no key: given as an earlier one, it lets ids be read that were
// shown unencrypted.
type Key struct {
	// Number is 1 to 3. Programs that read each other's ids must have the same
	// secret under it.
	Number int

	// Secret is 16 random bytes, for example from crypto/rand or `openssl rand
	// -hex 16`.
	Secret []byte
}

// Format keeps the secret out of what package fmt prints.
func (k Key) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "opaque.Key(%d)", k.Number) }

// MarshalText keeps the secret out of JSON and of logs.
func (k Key) MarshalText() ([]byte, error) { return fmt.Append(nil, k), nil }

// Keys hides ids with one key, and reveals those of several. It does not change, so any
// number of goroutines may use it. The methods of a nil *Keys return ErrKey.
type Keys struct {
	current int // the number of the key that hides
	ciphers [maxKey + 1]*speck
	plain   bool // ids that were shown as they are may be read
}

// NewKeys returns Keys that hide with the current key, and reveal what this and the
// earlier keys have hidden. Errors wrap ErrKey.
//
// To rotate the key of several programs, first give the new one to all of them as an
// earlier key, and then as the current one.
func NewKeys(current Key, earlier ...Key) (*Keys, error) {
	if current.Number == 0 {
		return nil, fmt.Errorf("%w: the current key has no number, want 1 to %d", ErrKey, maxKey)
	}
	keys := &Keys{current: current.Number}
	if err := keys.add(current); err != nil {
		return nil, err
	}
	for _, k := range earlier {
		if err := keys.add(k); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// ParseKeys reads keys from the text of an environment variable or a file: for each key
// its number, a colon and the secret in hexadecimal digits, separated by commas or
// blanks, with the current key first. 0 alone is the zero Key. Errors wrap ErrKey, and
// never contain a secret.
//
//	2:000102030405060708090a0b0c0d0e0f,1:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff,0
func ParseKeys(s string) (*Keys, error) {
	var all []Key
	for i, field := range strings.FieldsFunc(s,
		func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		number, digits, _ := strings.Cut(field, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("%w: key %d of the list has no number: want NUMBER:SECRET", ErrKey, i+1)
		}
		secret, err := hex.DecodeString(digits)
		if err != nil {
			return nil, fmt.Errorf("%w: the secret of key %d is not in hexadecimal digits", ErrKey, n)
		}
		all = append(all, Key{Number: n, Secret: secret})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: the list of keys is empty", ErrKey)
	}
	return NewKeys(all[0], all[1:]...)
}

func (k *Keys) add(key Key) error {
	switch {
	case key.Number == 0 && len(key.Secret) == 0:
		k.plain = true
		return nil
	case key.Number < 1 || key.Number > maxKey:
		return fmt.Errorf("%w: key %d: want a number of 1 to %d", ErrKey, key.Number, maxKey)
	case k.ciphers[key.Number] != nil:
		return fmt.Errorf("%w: there are two keys %d", ErrKey, key.Number)
	case len(key.Secret) != secretSize:
		return fmt.Errorf("%w: the secret of key %d has %d bytes, want %d random bytes", ErrKey,
			key.Number, len(key.Secret), secretSize)
	case bytes.Count(key.Secret, key.Secret[:1]) == secretSize:
		return fmt.Errorf("%w: the secret of key %d is the same byte %d times: want random bytes", ErrKey,
			key.Number, secretSize)
	}
	var words [4]uint32
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(key.Secret[4*i:])
	}
	k.ciphers[key.Number] = newSpeck(words)
	return nil
}

// Hide encrypts an id with the current key. For a negative one, which is no id, the error
// wraps uid.ErrRange.
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
