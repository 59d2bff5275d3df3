package bench

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// ageInterval is how often the age of an id is taken, by one of the loaders.
const ageInterval = 100 * time.Microsecond

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

// ageText has nothing to say of ids from the future: ringText has.
func ageText(r result) string {
	if r.Age["max"] < int64(time.Microsecond) {
		return ""
	}
	text := ""
	for name, ns := range r.Age.all() {
		text += fmt.Sprintf("%s %s, ", name, formatNS(float64(ns)))
	}
	return text + "from the id's time to the take"
}
