package padding

import (
	"log/slog"
	"time"
)

// Mint is what the padder drives: it says which ticks may be minted, and puts their ids
// into the ring. Ticks count units from the Unix epoch. The ring has slots, each of which
// holds a few ids of one tick, or of a run of ticks. The padder calls everything but Arm
// inside its critical section, one call at a time.
type Mint interface {
	// Grant returns the first and the last tick that may be minted now, none when lo > hi,
	// and, if hi will never grow, why. noBorrow: a tick may not be minted before it begins,
	// whatever MaxAhead is.
	Grant() (lo, hi int64, end error, noBorrow bool)

	// Ungranted says why no tick above those of Grant may be minted now.
	Ungranted() error

	// Want says that the padder has reached this tick and will need later ones. It must
	// not block.
	Want(tick int64)

	// Put puts n ids into the ring, beginning with id number from of this tick and going on
	// in the next ticks, as many as fit, and returns how many ids it put.
	Put(tick, from, n int64) int64

	// Drop removes the ids of ticks before this one from the ring, and returns how many
	// those were. Those that were taken out of it as a span and not yet handed out must not
	// be handed out any more.
	Drop(before int64) int64

	// Oldest returns the tick of the ring's next id; false when the ring is empty.
	Oldest() (tick int64, ok bool)

	// Used is how many slots hold ids, Left how many ids those are.
	Used() int
	Left() int64

	// Arm asks for one call of Wake when fewer than this many slots hold ids. When there
	// are fewer already it returns false, and Wake will not be called.
	Arm(slots int) bool
}

// Config sets up a padder.
type Config struct {
	// IDs is how many ids a tick has, 1 or more, and Run how many ticks are minted at
	// once: more than 1 only where a slot holds all their ids. Zero is 1.
	IDs, Run int64

	// Slots is how many slots the ring has. It is refilled when fewer than Low of
	// them hold ids, 1 to Slots.
	Slots, Low int

	// Now is the wall clock, Tick the tick that holds a time, Start a tick's
	// first instant. Ticks count units from the Unix epoch.
	Now   func() time.Time
	Tick  func(time.Time) int64
	Start func(tick int64) time.Time

	// MaxAhead bounds how long after now a tick may begin; 0: no bound.
	MaxAhead time.Duration

	// Waiting's error wraps ErrAhead while MaxAhead, or a grant of which nothing may be
	// borrowed, holds the padder back.
	ErrAhead error

	// MaxLag bounds how long ago the tick of an id may have ended, while newer ones can
	// be minted; negative: no bound.
	MaxLag time.Duration

	// Schedule is the interval of refills in addition to those at low water; 0: none.
	Schedule time.Duration

	// RejectPut is asked whether to discard the left ids of a tick that do not fit into the
	// ring. As in the original, a refill then continues until a put is rejected, so that the
	// rest may be a whole tick. Nil: a refill ends when the ring is full, and the rest is
	// kept, as it is when the function panics. It runs on the padder's goroutine, outside its
	// critical section, and may call any method of the padder. While it has not returned,
	// Help alone refills the ring, and drops what is old.
	RejectPut func(tick, left int64) (discard bool)

	// Refilled, unless nil, is called after each refill, outside the padder's critical
	// section, with the number of ids that were put, and again after what it returns, at
	// the latest.
	Refilled func(put int64) (again time.Duration)

	// Logger gets a line when the padder pauses for the lease, resumes, or stops for
	// good, and when RejectPut panics. Its handler runs on its own goroutine and may
	// block, panic, or take an id.
	Logger *slog.Logger
}

// Stats counts since the start. All its numbers are from one moment.
type Stats struct {
	Left      int64 // ids in the ring now
	Taken     int64 // ids taken out of the ring by others; it never decreases
	Dropped   int64 // ids taken out as too old, and by Reset
	Refills   int64 // times that it put some
	Rejected  int64 // times that a tick did not fit whole
	Discarded int64 // ids that RejectPut had dropped, which were never put
	Faults    int64 // panics of RejectPut or the Mint
}
