package plan

import (
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Fit is a layout that meets all requirements, and what else it offers.
type Fit struct {
	// Name is that of a preset, or balanced: the spare bits were spread evenly.
	Name   string
	Layout uid.Layout

	// End is the first instant that the layout cannot hold.
	End time.Time

	// Rate is how many ids a second one node makes without borrowing.
	Rate float64

	// Restarts is how many worker ids are left when all nodes have theirs: for
	// as many more starts, or nodes when worker ids are recycled.
	Restarts int64

	// RestartsEnd is when the restarts are used up at the required pace. Zero:
	// never, as there are no starts or worker ids are recycled.
	RestartsEnd time.Time
}

func newFit(name string, c uid.Config, w Requirements, from time.Time) Fit {
	f := Fit{Name: name, Layout: c.Layout, End: c.Layout.End(), Rate: rate(c)}
	if w.Recycled {
		f.Restarts = c.Layout.MaxWorker() + 1 - w.Nodes
		return f
	}
	f.Restarts = c.Layout.MaxWorker() + 1 - firstDisposable - w.Nodes
	if w.StartsPerDay > 0 {
		f.RestartsEnd = after(from, float64(f.Restarts)/w.StartsPerDay*secondsPerDay)
	}
	return f
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
