package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
)

// MaxRows is how many worker ids a namespace may have.
const MaxRows = 1 << 16

// Namespace is a set of worker ids whose holders make ids of one layout. Init sets
// everything in it but Epoch and Floor, which change later.
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

var namespaceName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,64}$`)

// longestUnit is the longest tick that a layout may have.
const longestUnit = 24 * time.Hour

// longestWindow is the longest that any namespace may have.
const longestWindow = 4 * longestUnit

// MaxWindow is the longest window that Init allows: a day, or four ticks where these
// are longer. Where nothing shows how far earlier namespaces were granted, the grants of
// a new one begin this long after now.
func MaxWindow(unit time.Duration) time.Duration { return max(24*time.Hour, 4*unit) }

// SlackTicks is how many ticks a floor lies above what may have been granted when two
// clocks may differ by slack: slack rounded up to ticks, and one tick more, since a grant
// includes its last tick and a floor is the first tick of the next grant.
func SlackTicks(slack, unit time.Duration) int64 { return int64((slack+unit-1)/unit) + 1 }

// Validate returns what is wrong with a namespace to be created; the error wraps ErrClaim.
func (n Namespace) Validate() error {
	switch {
	case !namespaceName.MatchString(n.Name):
		return fmt.Errorf("%w: namespace %q: want 1 to 64 letters, digits, dots, dashes and underscores",
			ErrClaim, n.Name)
	case n.First < 0 || n.Last < n.First:
		return fmt.Errorf("%w: worker ids from %d to %d: want 0 <= first <= last", ErrClaim, n.First,
			n.Last)
	case n.Last-n.First >= MaxRows:
		return fmt.Errorf("%w: %d worker ids: a namespace has at most %d", ErrClaim, n.Last-n.First+1,
			MaxRows)
	case n.Unit < time.Millisecond || n.Unit > longestUnit || n.Unit%time.Millisecond != 0:
		return fmt.Errorf("%w: a tick of %v: want whole milliseconds, %v at most", ErrClaim, n.Unit,
			longestUnit)
	case n.Fingerprint == "":
		return fmt.Errorf("%w: no fingerprint of a layout", ErrClaim)
	case n.Window < 2:
		return fmt.Errorf("%w: a window of %d ticks of %v is too short to renew in time: set one of "+
			"two ticks or more", ErrClaim, n.Window, n.Unit)
	case n.Window > int64(MaxWindow(n.Unit)/n.Unit):
		return fmt.Errorf("%w: a window of %d ticks of %v: set one of %v or less", ErrClaim, n.Window,
			n.Unit, MaxWindow(n.Unit))
	}
	return nil
}

// Has reports whether worker is among the worker ids of n. A row of any other, left from an
// earlier namespace of that name, is neither shown nor written: another may have that
// worker id now.
func (n Namespace) Has(worker int64) bool {
	return n.Name != "" && n.First <= worker && worker <= n.Last
}

// Extends returns nil when n equals have, or have with more worker ids. Its error wraps
// ErrNamespace and names what differs.
func (n Namespace) Extends(have Namespace) error {
	var differ []string
	say := func(what string, want, have any) {
		if want != have {
			differ = append(differ, fmt.Sprintf("%s is %v there and %v here", what, have, want))
		}
	}
	say("the layout", fingerprint.Layout(n.Fingerprint), fingerprint.Layout(have.Fingerprint))
	say("the unit", n.Unit, have.Unit)
	say("the window", n.Window, have.Window)
	if n.First > have.First || n.Last < have.Last {
		differ = append(differ,
			fmt.Sprintf("it has worker ids %d to %d, which can be extended but not reduced to %d to %d",
				have.First, have.Last, n.First, n.Last))
	}
	if len(differ) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %q exists: %s; create one with another name and other worker ids",
		ErrNamespace, n.Name, strings.Join(differ, ", "))
}

// Seal is a checksum of the settings of a namespace. A store keeps it beside them and
// compares it when it reads them, to find settings that were edited by hand.
func (n Namespace) Seal() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %d-%d %d", n.Name, n.Fingerprint,
		n.Unit.Milliseconds(), n.First, n.Last, n.Window))
	return hex.EncodeToString(sum[:8])
}

// CheckSeal returns an error that wraps ErrNamespace when seal was made for other
// settings. It would be unsafe to accept a window that was made longer by hand: where the
// next namespace begins was decided without it.
func (n Namespace) CheckSeal(seal string) error {
	if seal == n.Seal() {
		return nil
	}
	return fmt.Errorf("%w: the settings of %q were edited after Init had made it (now worker ids "+
		"%d to %d, a window of %d ticks of %v, layout %s): "+
		"restore the old settings; or delete the record of the namespace, keep its rows, and run Init "+
		"again, which begins above all that was granted",
		ErrNamespace, n.Name, n.First, n.Last, n.Window, n.Unit, fingerprint.Layout(n.Fingerprint))
}

// TickAt is the tick that holds t, counted from the Unix epoch.
func (n Namespace) TickAt(t time.Time) int64 {
	ms, unit := t.UnixMilli(), n.Unit.Milliseconds()
	if ms%unit < 0 {
		return ms/unit - 1
	}
	return ms / unit
}

// Start is a tick's first instant, or the end of the year 9999 for a later one.
func (n Namespace) Start(tick int64) time.Time {
	const end = 253402300800000 // ms
	unit := n.Unit.Milliseconds()
	return time.UnixMilli(min(tick, end/unit) * unit).UTC()
}
