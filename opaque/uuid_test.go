package opaque

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestUUIDsOfOthersAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"the nil UUID":        "00000000-0000-0000-0000-000000000000",
		"version 4":           "5c1f5a0e-93b5-4cb4-8100-000000000000",
		"version 7":           "018f3c5e-7b2a-7cc0-8100-000000000000",
		"another variant":     "00000000-0000-8000-c100-000000000000",
		"no one":              "00000000-0000-8000-8000-000000000000",
		"bits behind the one": "00000000-0000-8000-8100-000000000001",
	} {
		u, err := ParseUUID(text)
		require.NoError(t, err, name)
		_, err = u.ID()
		require.ErrorIs(t, err, uid.ErrSyntax, name)
		assert.ErrorContains(t, err, text+" is another kind of UUID", name)
	}
	for _, text := range []string{"", "00000000000080008000000000000000",
		"00000000-0000-8000-8000-00000000000g",
		"00000000-0000-8000-80000000000000000", "{00000000-0000-8000-8000-000000000000}",
		"0000000-00000-8000-8000-000000000000"} {
		_, err := ParseUUID(text)
		require.ErrorIs(t, err, uid.ErrSyntax, "%q", text)
		assert.ErrorContains(t, err, "is not a UUID")
	}
}
