package asynclog

import (
	"context"
	"log/slog"
	"sync"
)

// most is how many lines may wait for a handler: log lines are about changes of state, and
// nobody reads them this far behind.
const most = 256

// queue holds the lines that have not been passed to a handler yet.
type queue struct {
	mu      sync.Mutex
	lines   []line
	dropped int           // since the last line was queued
	telling chan struct{} // closed when all lines are passed on; nil: no goroutine runs
}

// say queues a line.
func (q *queue) say(l line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == most {
		q.dropped++
		return
	}
	if q.dropped > 0 {
		l.record.AddAttrs(slog.Int("lines_dropped_before", q.dropped))
		q.dropped = 0
	}
	q.lines = append(q.lines, l)
	if q.telling == nil {
		q.telling = make(chan struct{})
		go q.tell()
	}
}

// tell passes on the lines in the queue until none is left.
func (q *queue) tell() {
	over := false
	defer func() {
		if !over {
			go q.tell() // a handler ended the goroutine, as a failing test does
		}
	}()
	for {
		l, ok := q.next()
		if !ok {
			over = true
			return
		}
		l.tell()
	}
}

func (q *queue) next() (line, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 {
		close(q.telling)
		q.lines, q.telling = nil, nil
		return line{}, false
	}
	l := q.lines[0]
	q.lines = q.lines[1:]
	return l, true
}

// flush waits until all lines queued before have been passed on, or ctx ends.
func (q *queue) flush(ctx context.Context) {
	q.mu.Lock()
	told := q.telling
	q.mu.Unlock()
	if told == nil {
		return
	}
	select {
	case <-told:
	case <-ctx.Done():
	}
}
