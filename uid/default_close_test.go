package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What Close gives back is the highest tick, and the next holder of the worker id
// begins right after it. So a call that is halfway through, between its look at
// the sequence and its id, must not get one above that.
func TestNoCallGetsAnIDAboveWhatCloseGaveBack(t *testing.T) {
	for name, get := range map[string]func(*DefaultGenerator) (ID, error){
		"GetUID":               (*DefaultGenerator).GetUID,
		"a name's":             func(g *DefaultGenerator) (ID, error) { return g.Keyed().GetUID("a") },
		"the last of its tick": nil,
	} {
		t.Run(name, func(t *testing.T) {
			first := 1
			if get == nil {
				get, first = (*DefaultGenerator).GetUID, 16
			}
			now := bubbleStart
			l := &testLease{id: 7, lo: now.Unix(), hi: now.Unix() + 1000}
			halfway := func() {}
			c := testConfig()
			c.Now = func() time.Time {
				halfway()
				return now
			}
			g, err := NewDefault(t.Context(), l, c)
			require.NoError(t, err)
			for range first {
				_, err = get(g)
				require.NoError(t, err)
			}
			now = now.Add(5 * time.Second)
			halfway = func() {
				halfway = func() {}
				assert.NoError(t, g.Close())
			}
			_, err = get(g)
			assert.ErrorIs(t, err, ErrClosed)
			assert.Equal(t, []int64{bubbleStart.Unix()}, l.released)
		})
	}
}
