package rivals

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sony/sonyflake/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// The preset gives the ids of sony/sonyflake itself.
func TestSonyflakesIDsAreMadeBitForBit(t *testing.T) {
	start := time.Date(1999, time.June, 1, 0, 0, 0, 0, time.UTC) // a bubble's time is 2000
	for name, s := range map[string]sonyflake.Settings{
		"the default":    {},
		"other widths":   {BitsSequence: 5, BitsMachineID: 10},
		"a tick of 1 ms": {TimeUnit: time.Millisecond, BitsSequence: 3, BitsMachineID: 20},
		"full seconds":   {TimeUnit: time.Second, BitsSequence: 12},
	} {
		t.Run(name, func(t *testing.T) {
			const machine = 258
			s.StartTime, s.MachineID = start, func() (int, error) { return machine, nil }
			theirs := played(t, func(t *testing.T) (func() (int64, error), func()) {
				flake, err := sonyflake.New(s)
				require.NoError(t, err)
				return flake.NextID, func() {}
			})
			ours := played(t, func(t *testing.T) (func() (int64, error), func()) {
				c, err := preset.Named("sonyflake")
				require.NoError(t, err)
				l := &c.Layout
				l.Epoch, l.Unit = start, cmp.Or(s.TimeUnit, l.Unit)
				l.SeqBits = cmp.Or(s.BitsSequence, l.SeqBits)
				l.WorkerBits = cmp.Or(s.BitsMachineID, l.WorkerBits)
				l.TimeBits = 63 - l.SeqBits - l.WorkerBits
				c.Logger, c.AllowRepeats = slog.New(slog.DiscardHandler), true
				gen, err := uid.NewDefault(t.Context(), worker.Static(machine), c)
				require.NoError(t, err)
				return func() (int64, error) {
					id, err := gen.GetUIDContext(t.Context())
					return int64(id), err
				}, func() { gen.Close() }
			})
			assert.Equal(t, theirs, ours)
		})
	}
}

// played takes ids in a bubble, now in a burst of several ticks and now after a
// while, at the same times whoever gives them.
func played(t *testing.T, open func(*testing.T) (next func() (int64, error),
	stop func())) (ids []int64) {
	synctest.Test(t, func(t *testing.T) {
		next, stop := open(t)
		defer stop()
		r := rand.New(rand.NewPCG(1, 2))
		due := time.Now()
		for range 40 {
			due = due.Add(2*time.Second + time.Duration(r.IntN(1_000_000))*time.Microsecond)
			time.Sleep(time.Until(due))
			for range 1 + r.IntN(2000) {
				id, err := next()
				require.NoError(t, err)
				ids = append(ids, id)
			}
		}
	})
	return ids
}
