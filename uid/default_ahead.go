package uid

import "time"

// far is how far ahead of the clock ids are that the log is told of: as in package padding,
// more than a lease grants in advance. So neither a burst nor a new pool is news.
func (l Layout) far() time.Duration { return max(time.Minute, 4*l.Unit) + 5*time.Second }

// tellAhead logs once that the ids of a tick, which were just given out, are far ahead of the
// clock, and once that the clock has caught up with all that were. Policies that borrow, or
// go on when the clock was set back, give out such ids; takes of a lap do not come here.
//
// farTick goes from 0 to a tick, upwards, and back to 0, each step by a swap of the value
// that it was decided by, so each line is written by the one call whose swap it is.
func (g *DefaultGenerator) tellAhead(tick int64, c *call) {
	for {
		switch last := g.farTick.Load(); {
		case last == 0:
			begin := g.c.Layout.start(tick)
			ahead := begin.Sub(c.wall)
			if tick <= c.now || ahead <= g.c.Layout.far() {
				return
			}
			if g.farTick.CompareAndSwap(0, tick) {
				g.c.Logger.Warn("ids are far ahead of the clock", "ahead", ahead.Round(time.Millisecond),
					"until", begin)
				return
			}
		case c.now >= last:
			if g.farTick.CompareAndSwap(last, 0) {
				g.c.Logger.Info("the clock has caught up with the ids")
				return
			}
		case tick > last:
			if g.farTick.CompareAndSwap(last, tick) {
				return
			}
		default:
			return
		}
	}
}
