package typeid

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// Hidden or not, a database has the ids themselves, in the order of time.
func TestADatabaseHasTheIDItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyID().Draw(t, "id")
		value, err := ID[invoice](n).Value()
		require.NoError(t, err)
		require.Equal(t, n, value)
		for _, src := range []any{n, uint64(n), uid.ID(n).String(), []byte(uid.ID(n).String() + "  "),
			`"` + uid.ID(n).String() + `"`} {
			var id ID[invoice]
			require.NoError(t, id.Scan(src))
			require.EqualValues(t, n, id)
		}

		value, err = UUID[invoice]{ID[invoice](n)}.Value()
		require.NoError(t, err)
		plain, err := opaque.ID{Number: uid.ID(n)}.UUID()
		require.NoError(t, err)
		require.Equal(t, plain.String(), value)
		for _, src := range []any{value, []byte(plain.String()), plain[:], [16]byte(plain),
			`"` + plain.String() + `"`, []byte(`"` + plain.String() + `"`)} {
			var id UUID[invoice]
			require.NoError(t, id.Scan(src))
			require.EqualValues(t, n, id.ID)
		}
	})
}

func TestScanRefusesWhatIsNoID(t *testing.T) {
	id, u := ID[order](7), UUID[order]{7}
	for _, src := range []any{nil, 1.0, "ord_0000000000007", "x", int64(-1), uint64(math.MaxUint64)} {
		err := id.Scan(src)
		require.Error(t, err)
		assert.True(t, errors.Is(err, uid.ErrSyntax) || errors.Is(err, uid.ErrRange), "%v", err)
	}
	for _, src := range []any{nil, int64(7), "7", "5c1f5a0e-93b5-4cb4-8000-000000000000", []byte{1},
		make([]byte, 16)} {
		require.ErrorIs(t, u.Scan(src), uid.ErrSyntax, "%v", src)
	}
	assert.ErrorContains(t, id.Scan(nil), "scan into a *typeid.ID[")
	assert.ErrorContains(t, u.Scan(nil), "scan into a *typeid.UUID[")
	assert.Equal(t, ID[order](7), id)
	assert.Equal(t, UUID[order]{7}, u)
}

func TestAHiddenUUIDIsNotTakenForAColumns(t *testing.T) {
	shown, err := ID[invoice](5).Opaque()
	require.NoError(t, err)
	hidden, err := shown.UUID()
	require.NoError(t, err)
	err = new(UUID[invoice]).Scan(hidden.String())
	require.ErrorIs(t, err, opaque.ErrKey)
	require.ErrorIs(t, err, uid.ErrSyntax)

	again, err := hidden.ID()
	require.NoError(t, err)
	id, err := Reveal[invoice](again)
	require.NoError(t, err)
	assert.EqualValues(t, 5, id)
}
