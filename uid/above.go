package uid

import (
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// anyAhead is how far a generator that has no bound may borrow.
const anyAhead = math.MaxInt64

// firstAbove returns the first tick, counted from the Unix epoch, in which all ids of a worker
// id are greater than Above; math.MinInt64 if any tick will do, math.MaxInt64 if none does.
func (c settings) firstAbove(workerID int64) int64 {
	if c.Above == 0 {
		return math.MinInt64
	}
	f, tick, epoch := c.Layout.fields(), int64(0), c.Layout.epochTick()
	if lowest := f.compose(Parts{Worker: workerID}); lowest <= c.Above {
		tick = int64(c.Above-lowest)>>f.time.shift + 1
	}
	if !fits(tick, f.time.bits) || epoch > 0 && tick > math.MaxInt64-epoch {
		return math.MaxInt64
	}
	return epoch + tick
}

// hasAbove refuses a worker id for which the layout has no ids above Above.
func (c settings) hasAbove(workerID int64) error {
	if c.firstAbove(workerID) < math.MaxInt64 {
		return nil
	}
	return fmt.Errorf("%w: Above is %d, and the layout %v has no ids above it with worker id %d: "+
		"choose a layout, or a worker id, whose ids are greater", ErrConfig, c.Above, c.Layout, workerID)
}

// checkAbove refuses an Above whose first tick neither has begun, nor begins within a take's
// patience, nor may be borrowed: ahead and what the lease grants limit that. l is nil before a
// worker id is spent: the check is then for the one whose ids are the first above Above.
func (k *core) checkAbove(l worker.Lease, ahead time.Duration) error {
	if k.c.Above == 0 {
		return nil
	}
	id, now := k.c.Layout.MaxWorker(), k.c.Now()
	latest, because := now.Add(ahead), fmt.Sprintf("MaxAhead is %v", ahead)
	if ahead == 0 {
		because = "a default generator makes none ahead of the clock"
	}
	if l != nil {
		id = l.WorkerID()
		if k.unborrowed(l) {
			latest, because = now, "a worker id that is not fenced makes no ids ahead of the clock"
		}
		// Grants follow the clock: the tick after the last one is granted when the next tick begins.
		into := now.Sub(k.c.Layout.tickStart(k.c.Layout.unixTick(now)))
		lo, hi := l.Grant()
		if last := k.c.Layout.tickStart(hi).Add(into); lo <= hi && last.Before(latest) {
			latest = last
			because = "the worker id is granted until " + timeString(k.c.Layout.tickStart(hi+1))
		}
	}
	if err := k.c.hasAbove(id); err != nil {
		return err
	}
	begin := k.c.Layout.tickStart(k.c.firstAbove(id))
	if !begin.Before(latest.Add(patience)) {
		return fmt.Errorf("%w: Above is %d, so that the first id is of %s, and %s: choose a layout "+
			"whose ids of today are greater (an earlier epoch, or more bits below the time)",
			ErrConfig, k.c.Above, timeString(begin), because)
	}
	if l != nil && !begin.Before(now.Add(patience)) {
		k.c.Logger.Warn("ids begin ahead of the clock, to be above Config.Above", "begin", begin,
			"ahead", begin.Sub(now))
	}
	return nil
}
