package uid

import (
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// anyAhead is how far a generator that has no bound may borrow.
const anyAhead = math.MaxInt64

// checkAbove refuses an Above whose first tick neither has begun, nor begins within
// progressTimeout, nor may be borrowed: ahead and what the lease grants limit that. l is nil before
// a worker id is spent: the check is then for the one whose ids are the first above Above.
func (s *source) checkAbove(l worker.Lease, ahead time.Duration) error {
	if s.conf.Above == 0 {
		return nil
	}
	id, now := s.layout.MaxWorker(), s.conf.Now()
	latest, because := now.Add(ahead), fmt.Sprintf("MaxAhead is %v", ahead)
	if ahead == 0 {
		because = "a default generator makes none ahead of the clock"
	}
	if l != nil {
		id = l.WorkerID()
		if s.unborrowed(l) {
			latest, because = now, "a worker id that is not fenced makes no ids ahead of the clock"
		}
		// Grants follow the clock: the tick after the last one is granted when the next tick begins.
		into := now.Sub(s.layout.tickStart(s.layout.unixTick(now)))
		lo, hi := l.Grant()
		if last := s.layout.tickStart(hi).Add(into); lo <= hi && last.Before(latest) {
			latest = last
			because = "the worker id is granted until " + timeString(s.layout.tickStart(hi+1))
		}
	}
	if err := s.conf.hasAbove(id); err != nil {
		return err
	}
	begin := s.layout.tickStart(s.conf.firstAbove(id))
	if !begin.Before(latest.Add(progressTimeout)) {
		return fmt.Errorf("%w: Above is %d, so that the first id is of %s, and %s: choose a layout "+
			"whose ids of today are greater (an earlier epoch, or more bits below the time)",
			ErrConfig, s.conf.Above, timeString(begin), because)
	}
	if l != nil && !begin.Before(now.Add(progressTimeout)) {
		s.conf.Logger.Warn("ids begin ahead of the clock, to be above Config.Above", "begin", begin,
			"ahead", begin.Sub(now))
	}
	return nil
}
