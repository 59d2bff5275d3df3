package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseLayoutSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "want time/worker/sequence bits"},
		{"28/11/11/13", "want time/worker/sequence bits"},
		{"28/x/13", `"x" is not a number of bits`},
		{"28/22/13@fortnight", "the unit is like 1ms"},
		{"28/22/13@1", "the unit is like 1ms"},
		{"28/22/14", "are 64 bits: take 1 away"},
		{"28/99999999999999999999/13", "is not a number of bits"},
		{"28/22/0/11/2=x", `"x" is not a tail`},
		{"28/22/13@1s since May", "the epoch is like 2026-01-01T08:00:00Z"},
	} {
		l, err := ParseLayout(c.text)
		require.ErrorIs(t, err, ErrLayout, c.text)
		assert.ErrorContains(t, err, c.says, c.text)
		assert.Zero(t, l, c.text)
	}
}

func TestFingerprintsAreEqualWhenTheIDsAre(t *testing.T) {
	l := layoutOf(t, "40/8/0/13/2=1@1m", "2026-01-01T00:00:00Z")
	assert.Equal(t, "40.8.0.13.2=1@60000ms+29453760", l.fingerprint(), "stored, so it must not change")

	same := l
	same.Epoch = l.Epoch.Add(59 * time.Second).In(time.FixedZone("", 8*3600))
	assert.Equal(t, l.fingerprint(), same.fingerprint(), "an epoch in the same tick, elsewhere")
}

func TestEqualLayoutsHaveOneStringInEveryZone(t *testing.T) {
	l := SnowflakeLayout()
	same := l
	same.Epoch = l.Epoch.In(time.FixedZone("", 8*3600))
	assert.NotEqual(t, l, same, "which is what == says")
	assert.Equal(t, l.String(), same.String())
}
