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
// id are greater than Above; math.MinInt64 for any, math.MaxInt64 for none.
func (c Config) firstAbove(workerID int64) int64 {
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

// hasAbove refuses a worker id of which the layout has no ids above Above.
func (c Config) hasAbove(workerID int64) error {
	if c.firstAbove(workerID) < math.MaxInt64 {
		return nil
	}
	return fmt.Errorf("%w: Above is %d, and the layout %v has no ids above it with worker id %d: "+
		"choose a layout, or a worker id, whose ids are greater", ErrConfig, c.Above, c.Layout, workerID)
}

// mayBegin is when the first tick may begin at the latest, and why.
type mayBegin struct {
	latest  time.Time
	because string
}

func aheadText(ahead time.Duration) string {
	if ahead == 0 {
		return "a default generator makes none ahead of the clock"
	}
	return fmt.Sprintf("MaxAhead is %v", ahead)
}

// beginAbove is when the first tick of a worker id begins whose ids are above Above. It refuses
// one that cannot be minted before the patience of a take is over that begins at m.
func (k *core) beginAbove(workerID int64, m mayBegin) (begin time.Time, err error) {
	if err := k.c.hasAbove(workerID); err != nil {
		return begin, err
	}
	begin = k.c.Layout.tickStart(k.c.firstAbove(workerID))
	if k.c.Above != 0 && !begin.Before(m.latest.Add(patience)) {
		err = fmt.Errorf("%w: Above is %d, so that the first id is of %s, and %s: choose a layout "+
			"whose ids of today are greater (an earlier epoch, or more bits below the time)",
			ErrConfig, k.c.Above, timeString(begin), m.because)
	}
	return begin, err
}

// checkAbove refuses an Above that is too high for a lease that was got, and tells of ids that
// begin ahead of the clock. Ids may be made so far ahead of it.
func (k *core) checkAbove(l worker.Lease, ahead time.Duration) error {
	if k.c.Above == 0 {
		return nil
	}
	now := k.c.Now()
	m := mayBegin{now.Add(ahead), aheadText(ahead)}
	if k.unborrowed(l) {
		m = mayBegin{now, "with a worker id that is not fenced no tick is minted before it begins"}
	}
	if lo, hi := l.Grant(); lo <= hi && hi < k.lastTick {
		// Grants follow the clock: the tick behind the last one is granted when the next tick begins.
		into := now.Sub(k.c.Layout.tickStart(k.c.Layout.unixTick(now)))
		if t := k.c.Layout.tickStart(hi).Add(into); t.Before(m.latest) {
			m = mayBegin{t, "the worker id is granted until " + timeString(k.c.Layout.tickStart(hi+1))}
		}
	}
	begin, err := k.beginAbove(l.WorkerID(), m)
	if err == nil && !begin.Before(now.Add(patience)) {
		k.c.Logger.Warn("ids begin ahead of the clock, to be above Config.Above", "begin", begin, "ahead",
			begin.Sub(now))
	}
	return err
}
