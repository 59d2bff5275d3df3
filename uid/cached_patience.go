package uid

import (
	"fmt"
	"time"
)

// patience is how long a take without a context waits for progress.
const patience = 5 * time.Second

// errPatience ends a wait that made no progress and that no context bounds.
var errPatience = fmt.Errorf("no id was put for %v", patience)

// watchFor looks after those without a context when this time has passed.
func (q *waiters) watchFor(d time.Duration) {
	q.watching = true
	if q.watch == nil {
		q.watch = time.AfterFunc(d, q.overdue)
		return
	}
	q.watch.Reset(d)
}

// overdue fails those who have waited for patience while no id was put. Those who
// came later are further back.
func (q *waiters) overdue() {
	why, _ := q.g.padder.Waiting()
	q.callNext() // should others whose turn it was not have come yet
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watching = false
	now := time.Now()
	for w := q.head.next; w != &q.head; {
		next := w.next
		if !w.since.IsZero() {
			left := patience - now.Sub(latest(w.since, q.progress))
			if left > 0 {
				q.watchFor(left)
				return
			}
			q.remove(w)
			if w.timeout != nil {
				w.timeout(errPatience)
			}
			w.fail(fmt.Errorf("%w: %w", emptyFor(why), errPatience))
		}
		w = next
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
