package charts

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// life is the layout's time, which the page shows as a bar: what has passed by itself, what
// this run has borrowed, and what is left.
type life struct {
	Passed, Used float64 // percentages of the bar
	Begin, End   string
	Caption      string
}

// leastBar is how wide a part is drawn at least, so that it can be seen.
const leastBar = 0.5

func lifeOf(r run) (life, error) {
	layout, err := uid.ParseLayout(r.Layout)
	if err != nil {
		return life{}, fmt.Errorf("charts: the report's layout: %w", err)
	}
	layout.Epoch = r.Epoch
	end := layout.End()
	// In seconds: a Duration ends after 292 years, a layout need not.
	whole := float64(end.Unix() - layout.Epoch.Unix())
	passed := 100 * float64(r.Started.Unix()-layout.Epoch.Unix()) / whole
	used := 100 * r.LifeUsed
	return life{
		Passed: passed, Used: max(used, leastBar),
		Begin: date(layout.Epoch), End: date(end),
		Caption: fmt.Sprintf("%.3g %% has passed (grey), this run used up %.3g %% (orange), "+
			"%.3g %% is left.", passed, used, max(100-passed-used, 0)),
	}, nil
}

// date leaves the days out of years that need five digits.
func date(t time.Time) string {
	if t.Year() > 9999 {
		return fmt.Sprintf("year %d", t.Year())
	}
	return t.UTC().Format(time.DateOnly)
}
