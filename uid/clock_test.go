package uid

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// Stats has what the lease knows of the machine's clock; a worker id of no store knows nothing.
func TestTheOffsetOfTheClockIsInStats(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c := testConfig()
		g, err := open(worker.Leased(memstore.New(), worker.Claim{Logger: c.Logger}), c)
		require.NoError(t, err)
		defer g.Close()
		s := g.Stats()
		assert.Positive(t, s.ClockUncertainty)
		assert.LessOrEqual(t, s.ClockOffset.Abs(), s.ClockUncertainty)

		g, err = open(worker.Static(7), unfenced())
		require.NoError(t, err)
		defer g.Close()
		assert.Zero(t, g.Stats().ClockUncertainty)
		synctest.Wait()
		time.Sleep(time.Second)
	})
}
