package typeid

import (
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/opaque"
)

// ErrKind is wrapped by the decoders for an id of another kind, and by all functions when
// the kind's own prefix is invalid.
var ErrKind = errors.New("typeid: id of another kind")

// Kind is a kind of thing that has ids: orders, users. Its methods are called often, and
// on the zero value, so a kind should be an empty struct whose Prefix returns a constant.
//
// A kind with a method Keys() *opaque.Keys has ids that are shown hidden. When Keys returns
// nil, showing an id is an error.
type Kind interface {
	// Prefix returns what texts begin with: 1 to 63 letters a to z and underscores, with
	// a letter at each end, as in TypeID.
	Prefix() string
}

// hidden is a Kind whose ids are shown hidden.
type hidden interface{ Keys() *opaque.Keys }

// prefix returns the prefix of a kind, or an error that wraps ErrKind.
func prefix[K Kind]() (string, error) {
	var kind K
	p := kind.Prefix()
	if len(p) < 1 || len(p) > 63 || p[0] == '_' || p[len(p)-1] == '_' {
		return "", badPrefix[K](p)
	}
	for i := range len(p) {
		if c := p[i]; (c < 'a' || c > 'z') && c != '_' {
			return "", badPrefix[K](p)
		}
	}
	return p, nil
}

func badPrefix[K Kind](p string) error {
	var kind K
	return fmt.Errorf("%w: %T has the prefix %q, want 1 to 63 of a to z and _, with a letter at "+
		"each end", ErrKind, kind, p)
}

// hiddenOf returns the kind if it has keys, even if Keys has a pointer receiver.
func hiddenOf[K Kind]() (h hidden, ok bool) {
	var kind K
	if h, ok = any(kind).(hidden); !ok {
		h, ok = any(&kind).(hidden)
	}
	return h, ok
}
