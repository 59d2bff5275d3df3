package bench

import (
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// layout is how long a tick is, and how many ids a second the layout holds for a worker id;
// 0 if the report does not say.
func (r Report) layout() (unit time.Duration, held float64) {
	l, err := uid.ParseLayout(r.Layout)
	if err != nil {
		return 0, 0
	}
	return l.Unit, math.Ldexp(1, l.SeqBits) / l.Unit.Seconds()
}

// limitText says so if the rate is the layout's, not the generator's. A default generator
// makes takes wait when a tick is full; a rate far below the layout's has another reason.
func limitText(r Report) string {
	_, held := r.layout()
	all := held * float64(max(len(r.Processes), 1))
	keptUp := r.Rate > 0 && r.IDsPerSecond >= 0.99*r.Rate
	if r.RingSize > 0 || r.RejectedTakes == 0 || keptUp || all == 0 || r.IDsPerSecond < all/2 {
		return ""
	}
	return fmt.Sprintf(", limited by the layout, which holds %s for a worker id", FormatRate(held))
}

// borrowedText has nothing to say of a generator that follows the clock: the end of its
// tick, to which AheadSeconds counts, is at most a tick ahead.
func borrowedText(r Report) string {
	unit, _ := r.layout()
	if r.RingSize == 0 || r.AheadSeconds <= unit.Seconds() {
		return ""
	}
	text := fmt.Sprintf("%s ahead of the clock, %s %% of the layout's time",
		FormatSpan(r.AheadSeconds), threeDigits(100*r.LifeUsed))
	if r.LifeLeftSeconds > 0 {
		text += "; at this pace it is over in " + FormatSpan(r.LifeLeftSeconds)
	}
	return text
}
