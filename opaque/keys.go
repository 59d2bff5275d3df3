package opaque

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// ErrKey is wrapped by NewKeys and ParseKeys for keys that cannot be used, and by
// whatever hides or reveals when the key for it is not there.
var ErrKey = errors.New("opaque: no key")

const (
	// SecretSize is how many bytes a secret has.
	SecretSize = 16

	// MaxKey is the largest number of a key: two bits of a text.
	MaxKey = 3
)

// Key is a secret and the number by which shown ids name it. It does not print its
// secret.
//
// The zero Key stands for no key at all: given as an earlier one, ids that were shown as
// they are go on being read.
type Key struct {
	// Number is 1 to MaxKey. Programs that read one another's ids have the same
	// secret under it.
	Number int

	// Secret is SecretSize bytes at random, such as crypto/rand and
	// `openssl rand -hex 16` give.
	Secret []byte
}

// String returns the number of the key.
func (k Key) String() string { return "opaque.Key(" + strconv.Itoa(k.Number) + ")" }

// Format keeps the secret out of whatever package fmt prints.
func (k Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, k.String()) }

// MarshalText keeps the secret out of JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// LogValue keeps the secret out of logs.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// Keys hide ids with one key, and reveal those of several. They do not change, so any
// number of goroutines may use them. A nil *Keys has none, and says so.
type Keys struct {
	current int // the number of the key that hides
	ciphers [MaxKey + 1]*permutation[uint32]
	plain   bool // ids that were shown as they are may be read
}

// NewKeys makes Keys that hide with the current key, and reveal what that and the
// earlier ones have hidden. Errors wrap ErrKey.
//
// To rotate keys of several programs, give the new one to all as an earlier one first,
// and as the current one then.
func NewKeys(current Key, earlier ...Key) (*Keys, error) {
	if current.Number == 0 {
		return nil, fmt.Errorf("%w: the current key has no number, want 1 to %d", ErrKey, MaxKey)
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

// ParseKeys reads keys as an environment variable or a file has them: the number, a
// colon and the secret in hexadecimal digits, with commas or blanks between; the current
// one first. A 0 alone is the zero Key. Errors wrap ErrKey, and show no secret.
//
//	2:000102030405060708090a0b0c0d0e0f,1:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff,0
func ParseKeys(s string) (*Keys, error) {
	var all []Key
	for i, field := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
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
	case key.Number < 1 || key.Number > MaxKey:
		return fmt.Errorf("%w: key %d: want a number of 1 to %d", ErrKey, key.Number, MaxKey)
	case k.ciphers[key.Number] != nil:
		return fmt.Errorf("%w: there are two keys %d", ErrKey, key.Number)
	case len(key.Secret) != SecretSize:
		return fmt.Errorf("%w: the secret of key %d has %d bytes, want %d at random", ErrKey, key.Number, len(key.Secret), SecretSize)
	case bytes.Count(key.Secret, key.Secret[:1]) == SecretSize:
		return fmt.Errorf("%w: the secret of key %d is one byte %d times: want it at random", ErrKey, key.Number, SecretSize)
	}
	var words [4]uint32
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(key.Secret[4*i:])
	}
	k.ciphers[key.Number] = &permutation[uint32]{cipher: newSpeck(words), last: math.MaxInt64}
	return nil
}

// Hide returns an id as it may be shown. A negative one is none: the error wraps
// uid.ErrRange.
func (k *Keys) Hide(id uid.ID) (ID, error) {
	if k == nil || k.current == 0 {
		return ID{}, fmt.Errorf("%w: there are no keys", ErrKey)
	}
	if id < 0 {
		return ID{}, fmt.Errorf("%w: id %d is negative", uid.ErrRange, int64(id))
	}
	return ID{Number: uid.ID(k.ciphers[k.current].hide(uint64(id))), Key: k.current}, nil
}

// Reveal returns the id that was shown. Errors wrap ErrKey when its key is not there, and
// uid.ErrRange for a negative number. There is no other: each number is some id.
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
		return 0, fmt.Errorf("%w: an id that is not hidden is not taken", ErrKey)
	case k.ciphers[shown.Key] == nil:
		return 0, fmt.Errorf("%w: hidden by key %d, which is not there", ErrKey, shown.Key)
	}
	return uid.ID(k.ciphers[shown.Key].reveal(uint64(shown.Number))), nil
}
