package opaque

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// FuzzHide hides any number with any key: what is hidden is revealed.
func FuzzHide(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), 1, int64(538815673191686144))
	f.Add([]byte("0123456789abcde"), 0, int64(-1))
	f.Fuzz(func(t *testing.T, secret []byte, number int, id int64) {
		keys, err := NewKeys(Key{number, secret})
		if err != nil {
			require.ErrorIs(t, err, ErrKey)
			return
		}
		shown, err := keys.Hide(uid.ID(id))
		if err != nil {
			require.ErrorIs(t, err, uid.ErrRange)
			require.Negative(t, id)
			return
		}
		require.GreaterOrEqual(t, shown.Number, uid.ID(0))
		got, err := keys.Reveal(shown)
		require.NoError(t, err)
		require.Equal(t, uid.ID(id), got)
		hidden, err := keys.Hide(got)
		require.NoError(t, err)
		require.Equal(t, shown, hidden)
	})
}

// FuzzParse gives any text to the decoders: what they take is written back as it was.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "ecscm65krsxa8", "zzzzzzzzzzzzz", "7ZZZZZZZZZZZZ",
		"cccb2862-cf19-8ea9-8300-000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if id, err := Parse(s); err == nil {
			require.Equal(t, s, id.String())
		} else {
			require.ErrorIs(t, err, uid.ErrSyntax)
		}
		u, err := ParseUUID(s)
		if err != nil {
			require.ErrorIs(t, err, uid.ErrSyntax)
			return
		}
		again, err := ParseUUID(u.String())
		require.NoError(t, err)
		require.Equal(t, u, again)
		if id, err := u.ID(); err == nil {
			again, err := id.UUID()
			require.NoError(t, err)
			require.Equal(t, u, again)
		}
	})
}

// FuzzParseKeys: keys are read or refused, and what they hide they reveal.
func FuzzParseKeys(f *testing.F) {
	f.Add("2:202122232425262728292a2b2c2d2e2f,1:101112131415161718191a1b1c1d1e1f 0")
	f.Add("1:")
	f.Fuzz(func(t *testing.T, s string) {
		keys, err := ParseKeys(s)
		if err != nil {
			require.ErrorIs(t, err, ErrKey)
			return
		}
		shown, err := keys.Hide(7)
		require.NoError(t, err)
		id, err := keys.Reveal(shown)
		require.NoError(t, err)
		require.Equal(t, uid.ID(7), id)
	})
}
