package typeid

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// FuzzParse gives any text to kinds of both sorts: what is read is written back as it was,
// by the kind of its prefix alone.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "ord_0eyj200001r00", "inv_ecscm65krsxa8", "inv_zzzzzzzzzzzzz",
		"ord_8000000000000", "_", "ord_\xff000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := Parse[order](s)
		if err == nil {
			require.GreaterOrEqual(t, id, ID[order](0))
			require.Equal(t, s, id.String())
		} else {
			require.ErrorIs(t, err, uid.ErrSyntax)
		}
		hidden, hiddenErr := Parse[invoice](s)
		if hiddenErr != nil {
			require.ErrorIs(t, hiddenErr, uid.ErrSyntax)
			return
		}
		require.Error(t, err, "of two kinds")
		shown, err := hidden.Opaque()
		require.NoError(t, err)
		if read, _ := opaque.Parse(s[len("inv_"):]); read.Key == shown.Key {
			require.Equal(t, s, hidden.String())
		}
	})
}
