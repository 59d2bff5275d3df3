package uid

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What keeps a generator from an id has one name, whichever of the two it is.
func TestBothGeneratorsNameAReasonAlike(t *testing.T) {
	for name, c := range map[string]struct {
		until    int64 // what is granted, in seconds from the start
		timeBits int
		class    worker.Class
		lose     bool          // the lease
		idle     time.Duration // before ids are taken
		is       error
	}{
		"the grant has ended":     {1, 31, worker.Fenced, false, 0, ErrGrantEnded},
		"nothing is granted":      {-1, 31, worker.Fenced, false, 0, ErrGrantEnded},
		"the lease is lost":       {1, 31, worker.Fenced, true, 0, ErrLeaseLost},
		"the first tick is ahead": {math.MaxInt32, 31, worker.Unfenced, false, 0, ErrAhead},
		"the next tick is ahead":  {math.MaxInt32, 31, worker.Unfenced, false, time.Second, ErrAhead},
		// in 1072 s
		"the layout's time is over": {math.MaxInt32, 17, worker.Fenced, false, 0, ErrTimeOver},
	} {
		t.Run(name, func(t *testing.T) {
			eachKind(t, func(t *testing.T, open func(worker.Assigner, Config) (Generator, error)) {
				config := testConfig()
				config.Layout.Epoch, config.Layout.TimeBits = bubbleStart.Add(-130_000*time.Second), c.timeBits
				config.AllowRepeats, config.TickFull = false, policy.BorrowAhead(math.MaxInt64)
				l := granted(0, c.until)
				leases := &succession{leases: []*testLease{l}}
				a := worker.Assigner(leases)
				if c.class == worker.Unfenced {
					a = worker.Static(7)
				}
				g, err := open(a, config)
				require.NoError(t, err)
				defer g.Close()
				if c.lose {
					l.set(func() { l.err = worker.ErrReleased })
				}
				time.Sleep(c.idle)
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
				defer cancel()
				_, err = g.AppendUIDsContext(ctx, nil, 1<<16)
				for _, is := range []error{ErrAhead, ErrGrantEnded, ErrTimeOver, ErrLeaseLost} {
					if is == c.is {
						assert.ErrorIs(t, err, is)
					} else {
						assert.NotErrorIs(t, err, is)
					}
				}
			})
		})
	}
}
