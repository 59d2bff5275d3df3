package plan

import (
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Fit is a layout that meets all requirements, and what else it offers.
type Fit struct {
	// Name is that of a preset, or says where the spare bits went.
	Name   string
	Layout uid.Layout

	// End is the first instant that the layout cannot hold.
	End time.Time

	// Rate is how many ids a second one node makes without borrowing.
	Rate float64

	// Restarts is how many worker ids are left when all nodes have theirs: for
	// as many more starts, or nodes when worker ids are recycled.
	Restarts int64

	// Recycled is what was required: worker ids come back.
	Recycled bool

	// RestartsEnd is when the restarts are used up at the required pace. Zero:
	// never, as there are no starts or worker ids are recycled.
	RestartsEnd time.Time

	left float64 // seconds between the start and End
}

func newFit(name string, c uid.Config, w Requirements, from time.Time) Fit {
	l := c.Layout
	f := Fit{
		Name:     name,
		Layout:   l,
		End:      l.End(),
		Rate:     rate(c),
		Recycled: w.Recycled,
		left:     float64(l.End().Unix()) - float64(from.Unix()),
	}
	if w.Recycled {
		f.Restarts = l.MaxWorker() + 1 - w.Nodes
		return f
	}
	f.Restarts = l.MaxWorker() + 1 - firstDisposable - w.Nodes
	if w.StartsPerDay > 0 {
		f.RestartsEnd = after(from, float64(f.Restarts)/w.StartsPerDay*secondsPerDay)
	}
	return f
}

// Burst is what a rate borrows that is above a fit's own.
type Burst struct {
	// Ahead is the seconds of id time that are spent in one second; 1 or less
	// when nothing is borrowed.
	Ahead float64

	// Life is how long the layout lasts from the start on if the burst never ends; at
	// most the 292 years of a Duration.
	Life time.Duration
}

// Burst says what it means when one node makes so many ids a second.
func (f Fit) Burst(idsPerSecond float64) Burst {
	ahead := idsPerSecond / f.Rate
	life := f.left / max(ahead, 1) * float64(time.Second)
	if life >= math.MaxInt64 {
		return Burst{Ahead: ahead, Life: math.MaxInt64}
	}
	return Burst{Ahead: ahead, Life: time.Duration(life)}
}

// rate returns the ids a second that one worker can make for good. A system may
// keep the first numbers of a tick for other uses.
func rate(c uid.Config) float64 {
	ids := math.Ldexp(1, c.Layout.SeqBits)
	if c.MaxSeq > 0 {
		ids = float64(c.MaxSeq) + 1
	}
	return (ids - float64(c.MinSeq)) / c.Layout.Unit.Seconds()
}
