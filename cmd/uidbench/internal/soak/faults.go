package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// injectFaults does one fault after the other until the time is over, and each at least once:
// a soak in which nothing happened would find nothing.
func (s *soak) injectFaults(must, may context.Context) error {
	for i := 0; len(s.Faults) > 0; i++ {
		ctx := may
		if i < len(s.Faults) {
			ctx = must
		}
		wait(ctx, s.partOfTTL(0.2, 0.6))
		if ctx.Err() != nil {
			return nil
		}
		err := map[Fault]func(context.Context) error{
			Kill: s.kill, Clock: s.clock, Pause: s.pause, Store: s.outage,
		}[s.Faults[i%len(s.Faults)]](ctx)
		if err == nil {
			err = s.recovered(ctx)
		}
		switch {
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
			return nil // the time was over in the middle of it
		case err != nil:
			return err
		}
	}
	return nil
}

// partOfTTL is a random part of a lease's time to live.
func (s *soak) partOfTTL(least, most float64) time.Duration {
	return time.Duration((least + rand.Float64()*(most-least)) * float64(s.TTL))
}

// victim picks a process at random, and has it take all that is granted to it.
func (s *soak) victim(ctx context.Context) int {
	i := rand.IntN(len(s.slots))
	s.slots[i].drain(ctx, s.TTL)
	wait(ctx, s.partOfTTL(0, 0.1))
	return i
}

// kill kills a process and starts it again. Its worker id is not free until its
// lease has run out, and there is no other.
func (s *soak) kill(ctx context.Context) error {
	s.faults.kills++
	return s.restart(ctx, 0)
}

// clock restarts a process whose clock then shows an earlier time.
func (s *soak) clock(ctx context.Context) error {
	s.faults.clocks++
	return s.restart(ctx, time.Minute+rand.N(time.Hour))
}

func (s *soak) restart(ctx context.Context, behind time.Duration) error {
	i := s.victim(ctx)
	s.slots[i].kill()
	if err := s.start(i, behind); err != nil {
		return err
	}
	return s.await(ctx, s.slots[i])
}

// pause stops a process until another has taken over its worker id and minted with
// it. When it wakes up it believes for a while that the id is its own.
func (s *soak) pause(ctx context.Context) (err error) {
	s.faults.pauses++
	paused := s.slots[s.victim(ctx)]
	if err := paused.Pause(); err != nil {
		return err
	}
	successor, err := s.launch("stand-in", 0)
	awake := 0.1
	for enough := s.TTL + s.Window + time.Second; err == nil; enough += enough / 2 {
		var minting bool
		if minting, err = s.minting(ctx, successor, enough); minting || err != nil {
			break
		}
		// Stopped in the middle of a write to a file, it keeps that locked for everybody. On a
		// busy machine it may need longer to end the write.
		if err = paused.Resume(); err == nil {
			wait(ctx, s.partOfTTL(awake/2, awake))
			err = paused.Pause()
		}
		awake *= 2
	}
	if err == nil {
		wait(ctx, s.partOfTTL(0, 0.5)) // it mints
	}
	if err := errors.Join(err, paused.Resume()); err != nil {
		return err
	}
	wait(ctx, s.partOfTTL(0.1, 0.5)) // both do
	return successor.finish(patience)
}

// minting waits until a process has taken an id, or for long enough.
func (s *soak) minting(ctx context.Context, c *instance, enough time.Duration) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, enough)
	defer cancel()
	err := s.await(limited, c)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

// outage takes the store away: sometimes for a moment, sometimes until leases run
// out and what was granted is used up.
func (s *soak) outage(ctx context.Context) error {
	s.faults.outages++
	s.victim(ctx)
	end, err := s.TakeStore(ctx)
	if err != nil {
		return err
	}
	wait(ctx, s.partOfTTL(0.3, 1.3)+rand.N(s.Window+1))
	return end()
}
