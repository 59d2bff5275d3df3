package zkstore

import (
	"context"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
)

// ZooKeeper has no clock to ask. But each change has the leader's time, and whoever
// makes one is told: every write of a row reads the clock, and before the first, or
// when there was none for a minute, a change is made that changes nothing.

// now is the leader's time, or this machine's as long as it is not known.
func (s *Store) now() time.Time {
	now, _ := s.clock.Now()
	return now
}

// readClock reads the leader's clock, if that is due, by writing a node that is empty. Where it is
// not allowed, the
// clock says why it is not known.
func (s *Store) readClock(ctx context.Context, path string) {
	if !s.clock.Due() {
		s.clock.Wait(ctx)
		return
	}
	sent := s.clock.Mono()
	stat, err := cancelable.Call(ctx, func() (*zk.Stat, error) { return s.conn.Set(path, nil, -1) })
	if err != nil {
		s.clock.Failed(s.explain("reading the leader's clock by writing "+path, err))
		return
	}
	s.noteTime(sent, stat)
}

// noteTime takes in the time of a change whose request was sent at that moment.
func (s *Store) noteTime(sent time.Duration, of *zk.Stat) {
	s.clock.Read(sent, time.UnixMilli(of.Mtime), time.Millisecond)
}
