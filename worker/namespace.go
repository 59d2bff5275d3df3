package worker

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// DefaultWindow is how far ahead of the store's clock worker ids are granted.
const DefaultWindow = time.Minute

// MaxRows is how many worker ids a namespace may have.
const MaxRows = 1 << 16

// Namespace is a set of worker ids whose holders make ids of one layout. All of
// it but Epoch and Floor is settled by Init.
type Namespace struct {
	Name        string        // 1 to 64 of a-z A-Z 0-9 . _ -
	Fingerprint string        // of the layout
	Unit        time.Duration // of a tick, whole milliseconds
	First, Last int64         // the worker ids that have rows
	Window      int64         // M: how many ticks a grant may end after the store's now, 2 or more

	// Epoch is the incarnation of the server that the floor was set for; Floor is
	// the tick at or above which every grant of that epoch mints. Stores that
	// keep what they acknowledged leave Epoch empty.
	Epoch string
	Floor int64
}

// NewNamespace is the namespace of this name for a layout's Need: worker ids
// first to last, granted window ahead. A window of zero means DefaultWindow,
// which units of half a minute and more do not fit: they take an explicit one.
func NewNamespace(name string, n Need, first, last int64, window time.Duration) (Namespace, error) {
	if window == 0 {
		window = DefaultWindow
	}
	ns := Namespace{Name: name, Fingerprint: n.Fingerprint, Unit: n.Unit, First: first, Last: last}
	if n.Unit > 0 {
		ns.Window = int64(window / n.Unit)
	}
	if last > n.MaxID {
		return ns, fmt.Errorf("%w: worker ids up to %d, the layout holds 0 to %d", ErrRange, last, n.MaxID)
	}
	return ns, ns.Validate()
}

var namespaceName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,64}$`)

// longestWindow leaves room to reckon with.
const longestWindow = 100 * 365 * 24 * time.Hour

// Validate says what is wrong with a namespace that is to be made; the error
// wraps ErrClaim.
func (n Namespace) Validate() error {
	switch {
	case !namespaceName.MatchString(n.Name):
		return fmt.Errorf("%w: namespace %q: want 1 to 64 letters, digits, dots, dashes and underscores", ErrClaim, n.Name)
	case n.First < 0 || n.Last < n.First:
		return fmt.Errorf("%w: worker ids from %d to %d: want 0 <= first <= last", ErrClaim, n.First, n.Last)
	case n.Last-n.First >= MaxRows:
		return fmt.Errorf("%w: %d worker ids: a namespace has at most %d", ErrClaim, n.Last-n.First+1, MaxRows)
	case n.Unit < time.Millisecond || n.Unit%time.Millisecond != 0:
		return fmt.Errorf("%w: a tick of %v: want whole milliseconds", ErrClaim, n.Unit)
	case n.Fingerprint == "":
		return fmt.Errorf("%w: no fingerprint of a layout", ErrClaim)
	case n.Window < 2:
		return fmt.Errorf("%w: a window of %d ticks of %v is too short to renew in time: set one of two ticks or more", ErrClaim, n.Window, n.Unit)
	case n.Window > int64(longestWindow/n.Unit):
		return fmt.Errorf("%w: a window of %d ticks of %v: set one of 100 years or less", ErrClaim, n.Window, n.Unit)
	}
	return nil
}

// Same returns nil when two namespaces were made with the same settings, and an
// error that wraps ErrNamespace and names the difference when not.
func (n Namespace) Same(have Namespace) error {
	var differ []string
	say := func(what string, want, have any) {
		if want != have {
			differ = append(differ, fmt.Sprintf("%s is %v there and %v here", what, have, want))
		}
	}
	say("the layout", n.Fingerprint, have.Fingerprint)
	say("the unit", n.Unit, have.Unit)
	say("the first worker id", n.First, have.First)
	say("the last worker id", n.Last, have.Last)
	say("the window", n.Window, have.Window)
	if len(differ) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %q exists: %s", ErrNamespace, n.Name, strings.Join(differ, ", "))
}

// TickAt is the tick that holds t, counted from the Unix epoch.
func (n Namespace) TickAt(t time.Time) int64 { return tick(t, n.Unit) }

// InitialFloor is the floor of a namespace that is made at now: behind whatever
// an earlier one of this name may have granted, unless there was none.
func InitialFloor(n Namespace, o InitOptions, now time.Time) int64 {
	floor := n.TickAt(now)
	if !o.Fresh {
		floor += n.Window + o.Slack + 1
	}
	return floor
}
