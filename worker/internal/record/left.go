package record

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// mostLeft is how far ahead a row may have been granted that an earlier namespace has left:
// further than any window, and than any quarantine that somebody may want.
const mostLeft = 366 * 24 * time.Hour

// CheckLeft looks at the highest High of rows that an earlier namespace of the name of n has
// left, in a store whose rows do not say which unit they are counted in. It refuses one that
// lies more than a year ahead in ticks of n: a millisecond's, taken for seconds, is in the
// year 58000, and nothing would be granted until then. Ticks that were longer are no harm:
// taken for shorter ones they lie in the past, and ids of two layouts never meet.
func CheckLeft(n store.Namespace, high int64, now time.Time) error {
	if !n.Start(high).After(now.Add(mostLeft)) {
		return nil
	}
	return fmt.Errorf("%w: rows of worker ids of an earlier namespace %q are left, whose ticks were shorter than %v "+
		"(as such they are granted until %s): take another name; or, when none of its processes runs any more, delete these rows and run Init again",
		store.ErrNamespace, n.Name, n.Unit, n.Start(high).Format(time.DateOnly))
}
