package typeid

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/opaque"
)

// named is a kind with any prefix, for these tests alone.
type named struct{}

var name string

func (named) Prefix() string { return name }

// pointed has its keys on the pointer.
type pointed struct{}

func (pointed) Prefix() string      { return "inv" }
func (*pointed) Keys() *opaque.Keys { return invoiceKeys }

func TestKeysOfAPointerHideToo(t *testing.T) {
	const id = 538815673191686144
	assert.Equal(t, ID[invoice](id).String(), ID[pointed](id).String())
	_, err := Parse[pointed](strings.Replace(ID[order](id).String(), "ord", "inv", 1))
	assert.ErrorIs(t, err, opaque.ErrKey, "one that is not hidden")
}

func TestPrefixesAreThoseOfTypeID(t *testing.T) {
	for _, good := range []string{"a", "ord", "order_line", "a__b", strings.Repeat("x", 63)} {
		name = good
		text, err := ID[named](5).MarshalText()
		require.NoError(t, err, good)
		id, err := Parse[named](string(text))
		require.NoError(t, err, good)
		assert.EqualValues(t, 5, id)
	}
	for _, bad := range []string{"", "_", "_a", "a_", "Ord", "ord1", "ord-x", "or d", "örd", `"`,
		strings.Repeat("x", 64)} {
		name = bad
		_, err := ID[named](5).MarshalText()
		require.ErrorIs(t, err, ErrKind, bad)
		assert.ErrorContains(t, err, "typeid.named has the prefix")
		_, err = Parse[named](bad + "_0000000000005")
		require.ErrorIs(t, err, ErrKind, bad)
	}
}
