package padding

import (
	"log/slog"
	"time"
)

// Mint is what the padder drives: which ticks may be minted, and where their ids
// go. Ticks count units from the Unix epoch. The ring is an array of slots, each
// of which holds a few ids of one tick. The padder calls all but Arm inside its
// critical section, one at a time.
type Mint interface {
	// Grant returns the ticks that may be minted now.
	Grant() Grant

	// Want says that the padder is at this tick and will want those after it. It
	// must not block.
	Want(tick int64)

	// Put puts the ids of a tick into the ring, from the from-th on, as many as
	// fit, into at most so many slots, and returns how many ids it put.
	Put(tick, from int64, slots int) int64

	// Skip takes the first slot out of the ring, if its ids are of a tick before
	// this one, and returns how many there were.
	Skip(before int64) int64

	// Expire makes ids of ticks before this one, which were taken out of the ring
	// as a span and not handed out yet, never be handed out.
	Expire(before int64)

	// Oldest is the tick of the ring's next id; false when the ring is empty.
	Oldest() (tick int64, ok bool)

	// Used is how many slots hold ids, Left how many ids those are.
	Used() int
	Left() int64

	// Arm asks for one call of Wake when fewer than so many slots hold ids. It
	// returns false, and no call will come, when there are fewer already.
	Arm(slots int) bool
}

// Grant is the first and the last tick that may be minted; none when Lo > Hi.
type Grant struct {
	Lo, Hi int64
	Why    error // why Hi is where it is; nil: more has been asked for
	Final  bool  // Hi will never grow: Why is the end

	// NoBorrow: a tick may not be minted before it begins, whatever MaxAhead is.
	NoBorrow bool
}

// Config sets up a padder.
type Config struct {
	// IDs is how many ids a tick has, 1 or more.
	IDs int64

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

	// ErrAhead is wrapped by what Waiting returns while MaxAhead, or Grant.NoBorrow,
	// holds the padder back, and ErrGrantEnded while more of a grant has
	// been asked for.
	ErrAhead, ErrGrantEnded error

	// MaxLag bounds how long ago a tick may have ended as long as newer ones can
	// be minted; negative: no bound.
	MaxLag time.Duration

	// Schedule is the interval of refills besides those on low water; 0: none.
	Schedule time.Duration

	// RejectPut is asked, on a goroutine of its own, whether to discard the rest
	// of a tick when the ring is full: left ids of it. As in the original a
	// refill goes on until a put is rejected, so that the rest may be the whole
	// tick. Nil: a refill ends when the ring is full, and the rest is kept. It is
	// kept too while the function blocks, and when it panics.
	RejectPut func(tick, left int64) (discard bool)

	// Refilled, unless nil, is called on the padder's goroutine and outside of its
	// critical section after each refill, with how many ids it put, and as long as
	// it asks to be called again.
	Refilled func(put int64) (again bool)

	// Logger gets a line when the padder pauses for the lease, resumes, or stops
	// for good, and when RejectPut panics. Its handler is called on a goroutine of
	// its own and may block, panic, or take an id.
	Logger *slog.Logger
}

// Stats counts since the start. All of it is of one moment.
type Stats struct {
	Put       int64 // ids put into the ring
	Left      int64 // of them: in the ring now
	Dropped   int64 // of them: taken out as too old, and by Reset
	Refills   int64 // times that it put some
	Rejected  int64 // times that a tick did not fit whole
	Discarded int64 // ids that RejectPut had dropped, which were never put
	Faults    int64 // panics of RejectPut or the Mint
}

// Taken is how many ids were taken out of the ring. It never decreases.
func (s Stats) Taken() int64 { return s.Put - s.Left - s.Dropped }
