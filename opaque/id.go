package opaque

import (
	"fmt"

	"github.com/ringuid/ringuid/internal/idtext"
	"github.com/ringuid/ringuid/uid"
)

// ID is an id as it is shown: an encrypted number, and which key made it. Programs get
// one from Keys.Hide, or from a text or a UUID.
//
// As text, in JSON too, it is 13 digits of Crockford's base 32 in lower case, safe in
// URLs and file names. The first one holds the key and the upper three bits of the
// number, so the texts of one key, or without a key, sort as the numbers do.
type ID struct {
	// Number is the encrypted id, 0 to 2^63-1.
	Number uid.ID

	// Key is the number of the key, 1 to 3. 0: no key, Number is the id itself.
	Key int
}

// textSize is how many characters a text has.
const textSize = 13

// lowBits is how many bits of a number follow the first digit.
const lowBits = 5 * (textSize - 1)

// digits are Crockford's, https://www.crockford.com/base32.html, in the order of ASCII.
const digits = "0123456789abcdefghjkmnpqrstvwxyz"

// Parse reads what ID.String writes, and nothing else: a text in upper case, or with an I for a
// 1, would be a second text of the same id. Errors wrap uid.ErrSyntax.
func Parse(s string) (ID, error) {
	var v uint64 // the key's upper bit is shifted out, so it is read separately
	all := uint8(none)
	if len(s) == textSize {
		all = 0
		for i := range textSize {
			d := values[s[i]]
			all |= d
			v = v<<5 | uint64(d)
		}
	}
	if all == none {
		return ID{}, fmt.Errorf("%w: %q is not %d characters of %s", uid.ErrSyntax, idtext.Clip(s),
			textSize, digits)
	}
	return ID{Number: uid.ID(v &^ (1 << 63)), Key: int(values[s[0]] >> 3)}, nil
}

// none is the value of a character that is not a digit: all bits are set.
const none = 0xff

// values holds the value of each character as a digit. It is a table because the digits of
// hidden ids come in no order that a processor could predict.
var values = func() (t [256]uint8) {
	for c := range t {
		t[c] = none
	}
	for v, c := range []byte(digits) {
		t[c] = uint8(v)
	}
	return t
}()

// MarshalText returns the text. Errors wrap uid.ErrRange for a negative number, and ErrKey for a
// key that cannot exist.
func (id ID) MarshalText() ([]byte, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	b := append(make([]byte, 0, textSize), digits[id.Key<<3|int(id.Number>>lowBits)])
	for shift := lowBits - 5; shift >= 0; shift -= 5 {
		b = append(b, digits[id.Number>>shift&31])
	}
	return b, nil
}

// UnmarshalText reads a text, see Parse.
func (id *ID) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// UnmarshalParam reads a text for gin and echo, see Parse.
func (id *ID) UnmarshalParam(text string) error { return id.UnmarshalText([]byte(text)) }

// Bind is UnmarshalParam for what oapi-codegen generates.
func (id *ID) Bind(text string) error { return id.UnmarshalText([]byte(text)) }

// UnmarshalJSON reads a quoted text. It refuses null, which would silently keep the
// previous value: use *ID for an id that may be absent.
func (id *ID) UnmarshalJSON(data []byte) error {
	return idtext.Unquoted(data, uid.ErrSyntax, id.UnmarshalText)
}

// MarshalBSONValue gives the text to MongoDB's driver. Errors are those of MarshalText.
func (id ID) MarshalBSONValue() (typ byte, data []byte, err error) {
	return idtext.WriteBSON(id.MarshalText())
}

// UnmarshalBSONValue reads a text that MongoDB's driver has read, see Parse. Anything else is an
// error that wraps uid.ErrSyntax, also null: use *ID for an id that may be absent.
func (id *ID) UnmarshalBSONValue(typ byte, data []byte) error {
	return idtext.ReadBSON(typ, data, uid.ErrSyntax, id.UnmarshalText)
}

// String returns the text, or for an invalid ID what is wrong with it.
func (id ID) String() string { return idtext.Shown(id.MarshalText()) }

func (id ID) check() error {
	if id.Key < 0 || id.Key > maxKey {
		return fmt.Errorf("%w: there is no key %d, want 0 to %d", ErrKey, id.Key, maxKey)
	}
	if id.Number < 0 {
		return fmt.Errorf("%w: %d is negative", uid.ErrRange, int64(id.Number))
	}
	return nil
}
