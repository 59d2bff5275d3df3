package textstore

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/internal/sentinel"
)

// MostAhead bounds how far ahead of the store's clock the time of a write may be, and how far
// off the clock of a machine that writes may be. worker.Claim.Slack has to be at least twice as
// long: one writer may be ahead, and another behind.
const MostAhead = 2 * time.Second

// ask asks the server for its time. When the answer arrives, the server's clock shows a time
// between shown and shown + blur.
func (s *Store) ask(ctx context.Context) (shown time.Time, blur time.Duration, err error) {
	sent, wall := s.machine.Mono(), s.machine.Wall()
	shown, grain, err := s.Server.Time(ctx)
	// While a machine sleeps, its monotonic clock may stand still.
	return shown, grain + max(s.machine.Mono()-sent, s.machine.Wall().Sub(wall)), err
}

// Estimate returns the time by which a machine writes when its clock shows wall and the store's
// shows one between shown and shown + blur: its own if that is within these bounds, and else
// the nearer bound. So only a machine whose clock is right uses its own. The estimate is never
// later than the store's time by more than MostAhead, even if the answer came late. The error
// wraps worker.ErrClock: a machine whose clock is further off than that may not write.
func Estimate(wall, shown time.Time, blur time.Duration) (time.Time, error) {
	now := shown.Add(min(max(0, wall.Sub(shown)), blur, MostAhead))
	if off := wall.Sub(now).Abs(); off > MostAhead {
		return now, fmt.Errorf("%w: by %v, where %v is allowed: this machine shows %s, the store %s: "+
			"correct the one that is wrong", sentinel.ErrClock, off.Round(time.Millisecond), MostAhead,
			wall.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return now, nil
}

// reading is the store's time and, if this machine may not use it for writes, the reason why.
type reading struct {
	now     time.Time
	refused error
}

// read returns the store's time, or this machine's if the server does not report its own.
func (s *Store) read(ctx context.Context) *reading {
	shown, blur, err := s.ask(ctx)
	if err != nil {
		return &reading{s.machine.Wall(),
			fmt.Errorf("the store's clock is not known, so nothing was written: %w", err)}
	}
	now, err := Estimate(s.machine.Wall(), shown, blur)
	return &reading{now, err}
}
