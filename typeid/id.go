package typeid

import (
	"fmt"
	"strings"

	"github.com/ringuid/ringuid/internal/idtext"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// ID is an id of a kind. It can be converted to uid.ID and back, and to an ID of another
// kind only explicitly.
//
// As text, in JSON and wherever else it is shown, it is Prefix_ and 13 digits; in a
// database it is a BIGINT. %d, and codecs that use reflection on numbers, such as gob, show and
// read the id itself.
type ID[K Kind] int64

// Parse reads what ID.String writes, and nothing else. Errors wrap uid.ErrSyntax. Those about
// another prefix also wrap ErrKind, those about a number that is too large uid.ErrRange, and
// those about a missing key opaque.ErrKey.
func Parse[K Kind](s string) (ID[K], error) {
	p, err := prefix[K]()
	if err != nil {
		return 0, err
	}
	end := strings.LastIndexByte(s, '_') // the prefix may have some, too
	switch {
	case end < 0:
		return 0, fmt.Errorf("%w: %q has no prefix, want %s_ and 13 characters", uid.ErrSyntax,
			idtext.Clip(s), p)
	case s[:end] != p:
		return 0, fmt.Errorf("%w: %w: %q begins with %q, want %q", uid.ErrSyntax, ErrKind,
			idtext.Clip(s), idtext.Clip(s[:end]), p)
	}
	shown, err := opaque.Parse(s[end+1:])
	if err != nil {
		return 0, fmt.Errorf("%q: %w", idtext.Clip(s), err)
	}
	id, err := Reveal[K](shown)
	if err != nil {
		return 0, fmt.Errorf("%w: %q: %w", uid.ErrSyntax, idtext.Clip(s), err)
	}
	return id, nil
}

// Opaque returns the id as its kind shows it: hidden if the kind has keys. Errors are
// those of opaque.Keys.Hide.
func (id ID[K]) Opaque() (opaque.ID, error) {
	if h, ok := hiddenOf[K](); ok {
		return h.Keys().Hide(uid.ID(id))
	}
	return opaque.ID{Number: uid.ID(id)}, nil
}

// Reveal is the inverse of ID.Opaque. Errors are those of opaque.Keys.Reveal; a kind
// without keys takes only what is not hidden.
func Reveal[K Kind](shown opaque.ID) (ID[K], error) {
	if h, ok := hiddenOf[K](); ok {
		id, err := h.Keys().Reveal(shown)
		return ID[K](id), err
	}
	if shown.Key != 0 {
		var kind K
		return 0, fmt.Errorf("%w: %w: above 2^63-1, or hidden by key %d, and ids of %q have no keys",
			uid.ErrRange, opaque.ErrKey, shown.Key, kind.Prefix())
	}
	return ID[K](shown.Number), nil
}

// MarshalText returns the text. JSON, XML including its attributes, keys of maps, and lines of
// log/slog have it too. Errors wrap uid.ErrRange for a negative value, which is not an id,
// opaque.ErrKey if the kind's keys are nil, and ErrKind if its prefix is invalid.
func (id ID[K]) MarshalText() ([]byte, error) {
	p, err := prefix[K]()
	if err != nil {
		return nil, err
	}
	shown, err := id.Opaque()
	if err != nil {
		return nil, err
	}
	text, err := shown.MarshalText()
	if err != nil {
		return nil, err
	}
	return append(append([]byte(p), '_'), text...), nil
}

// UnmarshalText reads a text, see Parse.
func (id *ID[K]) UnmarshalText(text []byte) error {
	v, err := Parse[K](string(text))
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// UnmarshalParam reads a text for gin and echo, see Parse. Without it gin reads hidden numbers.
func (id *ID[K]) UnmarshalParam(text string) error { return id.UnmarshalText([]byte(text)) }

// Bind is UnmarshalParam for what oapi-codegen generates.
func (id *ID[K]) Bind(text string) error { return id.UnmarshalText([]byte(text)) }

// UnmarshalJSON reads a quoted text, see Parse. It refuses null, which would silently
// keep the previous value: use *ID for an id that may be absent.
func (id *ID[K]) UnmarshalJSON(data []byte) error {
	return idtext.Unquoted(data, uid.ErrSyntax, id.UnmarshalText)
}

// String returns the text, or for an invalid ID what is wrong with it.
func (id ID[K]) String() string { return idtext.Shown(id.MarshalText()) }

// MarshalBSONValue gives the id itself to MongoDB's driver, see uid.ID.MarshalBSONValue.
func (id ID[K]) MarshalBSONValue() (typ byte, data []byte, err error) {
	return uid.ID(id).MarshalBSONValue()
}

// UnmarshalBSONValue reads the id itself, see uid.ID.UnmarshalBSONValue.
func (id *ID[K]) UnmarshalBSONValue(typ byte, data []byte) error {
	return (*uid.ID)(id).UnmarshalBSONValue(typ, data)
}
