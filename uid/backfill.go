package uid

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// Backfill returns n ids of the tick that holds t, in increasing order, for records of
// that time. No generator with these settings ever hands them out: their sequence numbers
// are those below MinSeq and above MaxSeq that the ClockBack policy does not use.
// Yitter's settings leave one, 0; the default settings leave none. A layout with a turn
// bit has twice as many ids for this.
//
// The same tick gives the same ids again: take all that a tick needs in one call, and let
// only one program backfill with a worker id.
//
// Errors wrap ErrRange when the layout has no such time or worker id, the tick fewer
// than n such numbers, or one of the ids would not be above c.Above; ErrConfig or ErrLayout for
// invalid settings.
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
		return nil, fmt.Errorf(
			"%w: a backfill of %d ids: with MinSeq %d and MaxSeq %d a tick keeps %d of a worker for "+
				"that: spread them over ticks, or use more worker ids",
			ErrRange, n, c.MinSeq, c.MaxSeq, kept*turns)
	}
	ids := make([]ID, 0, min(n, 1<<12))
	for p := (Parts{Tick: tick, Worker: workerID}); len(ids) < n; p.Turn++ {
		for p.Seq = c.unused(0, reserved); len(ids) < n &&
			p.Seq <= c.Layout.maxSeq(); p.Seq = c.unused(p.Seq+1, reserved) {
			ids = append(ids, c.Layout.compose(p))
		}
	}
	if n > 0 && c.Above > 0 && ids[0] <= c.Above {
		return nil, fmt.Errorf(
			"%w: a backfill at %s would begin with %d, which is not above Above, %d: such an id may exist",
			ErrRange, timeString(c.Layout.start(tick)), ids[0], c.Above)
	}
	return ids, nil
}

// unused is the first number, seq or a later one, that neither a tick nor the
// ClockBack policy gives out.
func (c *Config) unused(seq int64, r policy.Reserved) int64 {
	for {
		switch {
		case c.MinSeq <= seq && seq <= c.MaxSeq:
			seq = c.MaxSeq + 1
		case r.First <= seq && seq <= r.Last:
			seq = r.Last + 1
		default:
			return seq
		}
	}
}

// reserved returns the numbers of the ClockBack policy, and how many of those that a tick
// does not give out they leave.
func (c *Config) reserved() (r policy.Reserved, kept int64) {
	r, ok := c.ClockBack.(policy.Reserved)
	if !ok {
		r = policy.Reserved{First: 0, Last: -1} // none
	}
	return r, c.MinSeq + c.Layout.maxSeq() - c.MaxSeq - (r.Last - r.First + 1)
}
