package namespaces

import (
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// Recount is the High, in ticks of n, of a row that counted ticks of another unit: the least
// one whose end is no earlier. So whatever the row shows to have been granted stays below the
// next grant as times go, also when a later namespace counts in the old unit again, although
// ids of two units never meet. A unit of 0 is not known, and taken for that of n.
func Recount(high int64, unit time.Duration, n store.Namespace) int64 {
	if unit <= 0 || unit == n.Unit {
		return high
	}
	const most = 253402300800000 // ms: the end of the year 9999, where Start ends, too
	high = min(max(high, -most/unit.Milliseconds()), most/unit.Milliseconds())
	end := store.Namespace{Unit: unit}.Start(high + 1)
	next := n.TickAt(end)
	if n.Start(next).Before(end) {
		next++
	}
	return next - 1
}
