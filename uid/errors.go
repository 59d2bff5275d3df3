package uid

import "errors"

// The errors of this package. A returned error says more and wraps one of them: check with
// errors.Is.
var (
	// ErrLayout is wrapped by Layout.Validate and by the constructors for an
	// invalid layout, or one whose epoch is still ahead.
	ErrLayout = errors.New("uid: invalid layout")

	// ErrConfig is wrapped by the constructors for any other invalid setting.
	ErrConfig = errors.New("uid: invalid config")

	// ErrRange is wrapped for a number that is out of its range: a value that a layout's
	// field cannot hold, a negative id, a negative number of ids to take.
	ErrRange = errors.New("uid: out of range")

	// ErrSyntax is wrapped by every decoder of text that is not an id.
	ErrSyntax = errors.New("uid: not an id")

	// ErrForeign is wrapped by Layout.Parse and ParseUID for an id that this
	// layout cannot have made: negative, too long, other tail bits.
	ErrForeign = errors.New("uid: id of another layout")

	// ErrTimeOver is returned by the constructors and by every way to take an id
	// when the time bits of the layout are used up.
	ErrTimeOver = errors.New("uid: the layout's time is over")

	// ErrWorkerID is wrapped by the constructors when the assigned worker id
	// does not fit the layout.
	ErrWorkerID = errors.New("uid: worker id does not fit the layout")

	// ErrClockBack is returned by DefaultGenerator when the clock was set back.
	ErrClockBack = errors.New("uid: the clock was set back")

	// ErrTickFull is returned by DefaultGenerator when the sequence of a tick is
	// used up, or given up with the worker id, and the next tick is too far off to
	// wait for.
	ErrTickFull = errors.New("uid: the tick's sequence is used up")

	// ErrRingEmpty is returned by CachedGenerator when its ring has no ids and
	// the reject-take policy does not wait, or has waited long enough.
	ErrRingEmpty = errors.New("uid: the ring is empty")

	// ErrAhead is wrapped while an id would be further ahead of the clock than is
	// allowed: by Config.MaxAhead, or with a worker id that is not fenced, which
	// makes no ids ahead of the clock. A CachedGenerator's error also wraps
	// ErrRingEmpty.
	ErrAhead = errors.New("uid: as far ahead of the clock as is allowed")

	// ErrGrantEnded is wrapped while the worker id's lease grants no time for an id
	// now, but may grant more. A CachedGenerator's error also wraps ErrRingEmpty.
	ErrGrantEnded = errors.New("uid: the worker id's lease grants no time now")

	// ErrLeaseLost is returned by every way to take an id when the worker id's
	// lease has ended and what it granted is used up or was fenced off.
	ErrLeaseLost = errors.New("uid: the worker id's lease is lost")

	// ErrClosed is returned by every way to take an id after Close.
	ErrClosed = errors.New("uid: generator closed")
)
