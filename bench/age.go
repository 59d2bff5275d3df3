package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Age says how old ids were when they were handed out, in milliseconds: the time of the
// take minus the time in the id, which is the first instant of its tick. An id of the
// present tick is 0 to one tick old; one with a negative age was borrowed from a future
// tick.
type Age struct {
	Min float64  `json:"min"`
	P50 float64  `json:"p50"`
	P99 *float64 `json:"p99,omitempty"` // nil: of too few ids
	Max float64  `json:"max"`
}

// Each loader takes an id's age once in ageInterval. It keeps mostAges of them, chosen at
// random.
const (
	ageInterval = 100 * time.Microsecond
	mostAges    = 1 << 12
)

// ages are a uniform sample of those that were seen, and the extremes.
type ages struct {
	due  time.Duration // on the run's clock
	seen int64
	kept []time.Duration
}

// look keeps the age of an id that was just taken, if it is time for one.
func (a *ages) observe(now time.Duration, layout uid.Layout, id uid.ID) {
	if now < a.due {
		return
	}
	a.due = now + ageInterval
	taken := time.Now()
	if p, err := layout.Parse(id); err == nil {
		a.add(taken.Sub(p.Time))
	}
}

// add is Vitter's algorithm R. The youngest and the oldest stay in front.
func (a *ages) add(age time.Duration) {
	a.seen++
	if len(a.kept) < mostAges {
		a.kept = append(a.kept, age)
		return
	}
	if a.seen == mostAges+1 {
		slices.Sort(a.kept)
		a.kept[1], a.kept[mostAges-1] = a.kept[mostAges-1], a.kept[1]
	}
	switch {
	case age < a.kept[0]:
		a.kept[0] = age
	case age > a.kept[1]:
		a.kept[1] = age
	default:
		if i := rand.Int64N(a.seen); i >= 2 && i < mostAges {
			a.kept[i] = age
		}
	}
}

// ageOf sums up ages; nil when there are none.
func ageOf(kept []time.Duration) *Age {
	if len(kept) == 0 {
		return nil
	}
	slices.Sort(kept)
	at := func(part float64) float64 {
		return float64(kept[int(part*float64(len(kept)-1))]) / float64(time.Millisecond)
	}
	a := &Age{Min: at(0), P50: at(0.5), Max: at(1)}
	if p99 := at(0.99); len(kept) >= 100 {
		a.P99 = &p99
	}
	return a
}

// ages are those of all loaders.
func (r *run) ages() (all []time.Duration) {
	for _, l := range r.loaders {
		all = append(all, l.ages.kept...)
	}
	return all
}

// ageText says it in seconds and parts of them, as people do.
func ageText(r Report) string {
	if r.Age == nil {
		return ""
	}
	before, behind, sign := "", "from the id's time to the take", 1.0
	if r.Age.P50 < 0 && r.Age.Max < 0 {
		before, behind, sign = "from the future: ", "ahead of the clock", -1
	}
	p99 := ""
	if r.Age.P99 != nil {
		p99 = ", p99 " + span(sign**r.Age.P99)
	}
	return fmt.Sprintf("%sp50 %s%s, max %s %s",
		before, span(sign*r.Age.P50), p99, span(sign*r.Age.Max), behind)
}

func span(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	if d.Abs() >= time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
