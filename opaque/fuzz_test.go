package opaque

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

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
