package uid

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// Backfill returns n ids of the tick that holds t, for records that are as old as
// that, in growing order. They never equal an id that a generator with these
// settings gives out: their sequence numbers are those below MinSeq that the
// ClockBack policy does not use, which is 0 alone for Yitter's. A layout with a
// turn bit has twice as many, with either value of it.
//
// The same tick gives the same ids again: take what it needs in one call, and
// have one program backfill with a worker id. A ClockBack policy must reserve no
// other numbers for a long step than for a short one.
//
// Errors wrap ErrRange when the layout has no such time or worker id, or the
// tick fewer than n such numbers; ErrConfig or ErrLayout for settings that cannot
// be.
func (c Config) Backfill(t time.Time, workerID int64, n int) ([]ID, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	tick, err := c.Layout.tickOf(t)
	if err != nil {
		return nil, err
	}
	reserved, kept := c.reserved()
	switch turns := int64(1) << c.Layout.TurnBits; {
	case !fits(workerID, c.Layout.WorkerBits):
		return nil, rangeError("worker", workerID, c.Layout.WorkerBits)
	case n < 0:
		return nil, fmt.Errorf("%w: a backfill of %d ids", ErrRange, n)
	case int64(n) > kept*turns:
		return nil, fmt.Errorf("%w: a backfill of %d ids: with MinSeq %d a tick keeps %d of a worker for that: spread them over ticks, or use more worker ids",
			ErrRange, n, c.MinSeq, kept*turns)
	}
	ids := make([]ID, 0, min(n, 1<<12))
	for p := (Parts{Tick: tick, Worker: workerID}); len(ids) < n; p.Seq++ {
		if p.Seq == reserved.First && reserved.Action == policy.ReserveBack {
			p.Seq = reserved.Last + 1
		}
		if p.Seq >= c.MinSeq {
			p.Turn, p.Seq = p.Turn+1, -1
			continue
		}
		ids = append(ids, c.Layout.compose(p))
	}
	return ids, nil
}

// reserved returns what the ClockBack policy does about a step of one tick, and
// how many numbers below MinSeq that leaves.
func (c *Config) reserved() (d policy.BackDecision, kept int64) {
	d, kept = c.ClockBack(policy.Back{By: c.Layout.Unit}), c.MinSeq
	if d.Action == policy.ReserveBack {
		kept -= d.Last - d.First + 1
	}
	return d, kept
}
