package padding

import (
	"errors"
	"log/slog"
	"time"
)

var (
	// ErrAhead is wrapped by what Waiting returns while MaxAhead, or a grant that
	// allows nothing ahead of the clock, holds the padder back.
	ErrAhead = errors.New("padding: as far ahead of the clock as is allowed")

	// ErrGrant is wrapped by what Waiting returns while no further tick is
	// granted.
	ErrGrant = errors.New("padding: no further tick is granted yet")
)

// Mint is what the padder drives: which ticks may be minted, and where their ids
// go. Ticks count units from the Unix epoch. The padder calls Grant, Want, Put
// and Drop inside its critical section, one at a time.
type Mint interface {
	// Grant returns the ticks that may be minted now.
	Grant() Grant

	// Want says that the padder is at this tick and will want those after it. It
	// must not block.
	Want(tick int64)

	// Put puts the ids of a tick into the ring, from the from-th on, as many as
	// fit, and returns how many did.
	Put(tick, from int64) int64

	// Drop takes the ids of all ticks before this one out of the ring and
	// returns how many there were.
	Drop(before int64) int64

	// Oldest is the tick of the ring's next id; false when the ring is empty.
	Oldest() (tick int64, ok bool)

	// Full reports whether nothing more fits.
	Full() bool

	// Arm asks for one call of Wake when the ring gets low. It returns false,
	// and no call will come, when the ring is low already.
	Arm() bool
}

// Grant is the first and the last tick that may be minted; none when Lo > Hi.
type Grant struct {
	Lo, Hi int64
	Why    error // why Hi is where it is; nil: more has been asked for
	Final  bool  // Hi will never grow: Why is the end

	// Punctual: a tick may not be minted before it begins, whatever MaxAhead is.
	Punctual bool
}

// Config sets up a padder.
type Config struct {
	// IDs is how many ids a tick has, 1 or more.
	IDs int64

	// Now is the wall clock, Tick the tick that holds a time, Start a tick's
	// first instant. Ticks count units from the Unix epoch.
	Now   func() time.Time
	Tick  func(time.Time) int64
	Start func(tick int64) time.Time

	// MaxAhead bounds how long after now a tick may begin; 0: no bound.
	MaxAhead time.Duration

	// MaxLag bounds how long ago a tick may have ended; negative: no bound.
	MaxLag time.Duration

	// Schedule is the interval of refills besides those on low water; 0: none.
	Schedule time.Duration

	// RejectPut is asked, on a goroutine of its own, whether to discard the rest
	// of a tick when the ring is full: left ids of it. Nil: the rest is kept. It
	// is kept too while the function blocks, and when it panics.
	RejectPut func(tick, left int64) (discard bool)

	// Logger gets a line when the padder pauses for the lease, resumes, or stops
	// for good, and when RejectPut panics. Its handler is called on a goroutine of
	// its own and may block, panic, or take an id.
	Logger *slog.Logger
}

// Stats counts since the start.
type Stats struct {
	Put       int64 // ids put into the ring
	Refills   int64 // times that it put some
	Rejected  int64 // times that a tick did not fit whole
	Discarded int64 // ids that RejectPut had dropped
	Dropped   int64 // ids dropped as too old, and by Reset
	Faults    int64 // panics of RejectPut or the Mint
}
