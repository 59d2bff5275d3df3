package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/child"
)

// injectFaults injects one fault after the other until the time is over, each kind at least
// once: a soak in which nothing happened would find nothing.
func (s *soak) injectFaults(must, may context.Context) error {
	faults := []func(context.Context) error{s.kill}
	if child.CanPause {
		faults = append(faults, s.pause)
	}
	for i := 0; ; i++ {
		ctx := may
		if i < len(faults) {
			ctx = must
		}
		cli.Wait(ctx, s.partOfTTL(0.2, 0.6))
		if ctx.Err() != nil {
			return nil
		}
		err := faults[i%len(faults)](ctx)
		for _, c := range s.slots {
			if err == nil {
				err = s.await(ctx, c, c.ids())
			}
		}
		switch {
		case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
			return nil // the time was over in the middle of the fault
		case err != nil:
			return err
		}
	}
}

func (s *soak) partOfTTL(least, most float64) time.Duration {
	return time.Duration((least + rand.Float64()*(most-least)) * float64(s.TTL))
}

// kill kills a process and starts it again. The worker id is not free until the lease of the
// killed process has run out, and there is no other.
func (s *soak) kill(ctx context.Context) error {
	s.kills++
	i := rand.IntN(len(s.slots))
	killed := s.slots[i]
	killed.kill()
	if err := s.start(i); err != nil {
		return err
	}
	err := s.await(ctx, s.slots[i], 0)
	s.countTakeover(killed, s.slots[i])
	return err
}

// pause stops a process until another has taken over its worker id and minted with it. The
// paused process then wakes up, and believes for a while that the worker id is its own.
func (s *soak) pause(ctx context.Context) (err error) {
	s.pauses++
	paused := s.slots[rand.IntN(len(s.slots))]
	if err := paused.Pause(); err != nil {
		return err
	}
	successor, err := s.launch("stand-in")
	awake := 0.1
	// A takeover takes as long as a lease and the store's slack.
	for enough := 2*s.TTL + 2*time.Second; err == nil; enough += enough / 2 {
		limited, cancel := context.WithTimeout(ctx, enough)
		err = s.await(limited, successor, 0)
		cancel()
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			break
		}
		// A process stopped in the middle of a write to a file keeps the file locked for all others.
		// On a busy machine it may need longer to finish the write.
		if err = paused.Resume(); err == nil {
			cli.Wait(ctx, s.partOfTTL(awake/2, awake))
			err = paused.Pause()
		}
		awake *= 2
	}
	if err == nil {
		s.countTakeover(paused, successor)
		cli.Wait(ctx, s.partOfTTL(0, 0.5)) // the successor mints
	}
	if err := errors.Join(err, paused.Resume()); err != nil {
		return err
	}
	cli.Wait(ctx, s.partOfTTL(0.1, 0.5)) // both mint
	return successor.finish()
}

// countTakeover counts a process that mints with the worker id of one that has not released it.
func (s *soak) countTakeover(from, to *instance) {
	if w := to.worker(s.Layout); w >= 0 && w == from.worker(s.Layout) {
		s.takeovers++
	}
}
