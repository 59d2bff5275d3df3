package namespaces

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// mostLeft is how far ahead a row may have been granted that an earlier namespace has left:
// further than a wrong clock or a quarantine is likely to be, and less than half of the time
// since 1970, which is what ticks that were half as long look ahead.
const mostLeft = 25 * 366 * 24 * time.Hour

// Above is where n begins that would begin at a tick, given a row that is there: above what was
// granted on it, if no namespace has that row, and have, which becomes n, is not there. The
// error is that of CheckLeft.
func Above(begin int64, n, have store.Namespace, worker, high int64, now time.Time) (int64, error) {
	if have.Has(worker) {
		return begin, nil
	}
	if have.Name == "" {
		begin = max(begin, high+1)
	}
	return begin, CheckLeft(n, high, now)
}

// CheckLeft looks at the High of a row that an earlier namespace of the name of n has left,
// in a store whose rows do not say which unit they are counted in. It refuses one that lies
// decades ahead in ticks of n: a millisecond's, taken for seconds, is in the year 58000, and
// nothing would be granted until then. Ticks that were longer are no harm: taken for
// shorter ones they lie in the past, and ids of two layouts never meet.
func CheckLeft(n store.Namespace, high int64, now time.Time) error {
	if !n.Start(high).After(now.Add(mostLeft)) {
		return nil
	}
	return fmt.Errorf("%w: rows of an earlier namespace %q are left, and with ticks of %v they are "+
		"granted until the year %d: "+
		"take another name; or, if the earlier namespace was of another layout, with shorter ticks, "+
		"and none of its processes runs any more, delete these rows",
		store.ErrNamespace, n.Name, n.Unit, n.Start(high).Year())
}
