package bench

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// ageInterval is how often the age of an id is taken, by one of the loaders.
const ageInterval = 100 * time.Microsecond

// fromTheFuture is the age of ids whose times are still to come, as a report has it.
const fromTheFuture = 1

// ages are how old ids were when they were handed out: the time of the take minus the time
// in the id, which is the first instant of its tick. Ids from the future have no age.
type ages struct {
	due  time.Duration // on the run's clock
	seen *hdrhistogram.Histogram
}

// observe keeps the age of an id that was just taken, if it is time for one. Nil keeps none.
func (a *ages) observe(now time.Duration, layout uid.Layout, id uid.ID) {
	if a == nil || now < a.due {
		return
	}
	a.due = now + ageInterval
	taken := time.Now()
	if p, err := layout.Parse(id); err == nil {
		record(a.seen, taken.Sub(p.Time), 1)
	}
}

// ageText is in words where the times of ids were still to come.
func ageText(r result) string {
	switch max, known := r.Age["max"]; {
	case !known:
		return ""
	case max <= fromTheFuture:
		return "none: the times in the ids were still to come when they were taken"
	}
	text := ""
	for name, ns := range r.Age.all() {
		age := formatNS(float64(ns))
		if ns <= fromTheFuture {
			age = "to come"
		}
		text += fmt.Sprintf("%s %s, ", name, age)
	}
	return text + "from the id's time to the call"
}
