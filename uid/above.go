package uid

import (
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// anyAhead is how far a generator may borrow that has no bound.
const anyAhead = math.MaxInt64

// firstAbove is the first tick, counted from the Unix epoch, in which all ids of a worker
// id are greater than Above; math.MinInt64 for any.
func (c Config) firstAbove(workerID int64) int64 {
	if c.Above == 0 {
		return math.MinInt64
	}
	f := c.Layout.fields()
	tick, ok := f.firstAbove(c.Above, workerID)
	epoch := c.Layout.epochTick()
	if !ok || epoch > 0 && tick > math.MaxInt64-epoch {
		return math.MaxInt64
	}
	return epoch + tick
}

// hasAbove refuses a worker id of which the layout has no ids above Above.
func (c Config) hasAbove(workerID int64) error {
	f := c.Layout.fields()
	if _, ok := f.firstAbove(c.Above, workerID); ok || c.Above == 0 {
		return nil
	}
	return fmt.Errorf("%w: Above is %d, and the layout %v has no ids above it with worker id %d: "+
		"choose a layout, or a worker id, whose ids are greater", ErrConfig, c.Above, c.Layout, workerID)
}

// checkAbove refuses an Above behind which a worker id's first tick cannot be minted before
// the patience of a take that begins at until is over.
func (c Config) checkAbove(workerID int64, until time.Time, because string) error {
	if err := c.hasAbove(workerID); err != nil || c.Above == 0 {
		return err
	}
	begin := c.Layout.tickStart(c.firstAbove(workerID))
	if begin.Before(until.Add(patience)) {
		return nil
	}
	return fmt.Errorf("%w: Above is %d, so that the first id is of %s, and %s: choose a layout "+
		"whose ids of today are greater (an earlier epoch, or more bits below the time)",
		ErrConfig, c.Above, timeString(begin), because)
}

// checkLeaseAbove is checkAbove for a lease that was got, and tells of ids that begin
// ahead of the clock.
func (k *core) checkLeaseAbove(l worker.Lease, ahead time.Duration) error {
	now := k.c.Now()
	err := k.c.checkAbove(l.WorkerID(), now.Add(ahead), mintedAhead(ahead))
	if err == nil && k.unborrowed(l) {
		err = k.c.checkAbove(l.WorkerID(), now,
			"with a worker id that is not fenced no tick is minted before it begins")
	}
	if lo, hi := l.Grant(); err == nil && lo <= hi && hi < k.lastTick {
		// Grants follow the clock: the tick behind the last one is granted when the next tick begins.
		into := now.Sub(k.c.Layout.tickStart(k.c.Layout.unixTick(now)))
		last, end := k.c.Layout.tickStart(hi), k.c.Layout.tickStart(hi+1)
		err = k.c.checkAbove(l.WorkerID(), last.Add(into),
			"the worker id is granted until "+timeString(end))
	}
	if err != nil || k.c.Above == 0 {
		return err
	}
	if begin := k.c.Layout.tickStart(k.c.firstAbove(l.WorkerID())); !begin.Before(now.Add(patience)) {
		k.c.Logger.Warn("ids begin ahead of the clock, to be above Config.Above", "begin", begin, "ahead",
			begin.Sub(now))
	}
	return nil
}

func mintedAhead(ahead time.Duration) string {
	if ahead == 0 {
		return "a default generator makes none ahead of the clock"
	}
	return fmt.Sprintf("MaxAhead is %v", ahead)
}
