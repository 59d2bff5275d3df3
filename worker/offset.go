package worker

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// offset is how far this machine's clock is ahead of the store's, or behind it if negative, and how
// much that may be wrong. It is not known if within is 0.
type offset struct{ by, within time.Duration }

// beyondDoubt is by how much the clocks differ at least.
func (o offset) beyondDoubt() time.Duration { return max(0, o.by.Abs()-o.within) }

func (o offset) String() string {
	return fmt.Sprintf("%v, within %v", o.by.Round(time.Millisecond), o.within.Round(time.Millisecond))
}

// much is from where on the log says that the clocks differ, beyond doubt.
const much = time.Second

// compare compares this machine's clock with that of the view that was just read. The store's
// was read at some time during the call.
func (p *caller) compare(v store.View) {
	if v.Grain == 0 {
		return // it could not be read
	}
	sent := p.at.wall.Add(p.asked - p.at.mono)
	least, most := sent.Sub(v.Now)-v.Grain, p.at.wall.Sub(v.Now)
	p.clocks = offset{by: least/2 + most/2, within: most/2 - least/2}
	switch {
	case !p.differ && p.clocks.beyondDoubt() > much:
		p.differ = true
		p.c.Logger.Warn("this machine's clock differs from the store's: correct the one that is wrong. "+
			"If it is this machine's, its ids sort that far from those of others", "ahead_by", p.clocks)
	case p.differ && p.clocks.beyondDoubt() == 0:
		p.differ = false
		p.c.Logger.Info("this machine's clock and the store's agree again", "ahead_by", p.clocks)
	}
}

// refuse returns an error if the clocks differ by more than the claim allows, beyond doubt.
func (p *caller) refuse(v store.View) error {
	if most := p.c.MaxClockOffset; most > 0 && p.clocks.beyondDoubt() > most {
		return fmt.Errorf("%w: this machine's is ahead of the store's by %v, and Claim.MaxClockOffset "+
			"is %v: this machine shows %s, the store %s: correct the one that is wrong", ErrClock, p.clocks,
			most, stamp(p.at.wall), stamp(v.Now))
	}
	return nil
}
