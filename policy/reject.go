package policy

import "time"

// RejectTake decides what a take does when it finds the ring empty, once for each take: after
// nil the take waits for its id, and an error is what it returns. Each part of a batch
// counts as a take. reason wraps uid.ErrRingEmpty, and says what the ring waits for.
//
// It runs on the goroutine that takes, and may be called from any number of goroutines at once.
// It may block or panic without harm to other takes, but must not take an id from the generator
// that calls it: it would be called again for that one.
type RejectTake func(reason error) error

// Fail makes the take return the reason, as Baidu's default handler does.
func Fail(reason error) error { return reason }

// RejectPut decides what happens to the last ids of a tick that do not fit into the ring: true
// discards them, and false keeps them for the next refill. left is their number, tick the first
// instant of the tick. It runs on the goroutine that refills the ring, and should return soon:
// while it blocks, only takes that find the ring empty refill it, old ids are not replaced, and
// takes that are already waiting keep waiting. So it must not wait for an id. It may close the
// generator.
type RejectPut func(left int64, tick time.Time) (discard bool)

// Discard drops the ids, as Baidu's default handler does. Each refill ends with a rejected put,
// so each costs up to a whole tick: at low load, every fifth tick if eight ticks fill the ring.
func Discard(int64, time.Time) bool { return true }
