package worker

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker/store"
)

// Claim says which worker ids of a store [Leased] may take, and how. The zero value takes any
// worker id that the layout has there, and creates rows for up to 1024 of them.
type Claim struct {
	// First and Count name the worker ids, for example to keep data centres apart: Count of them,
	// 1 to 65,536, from First on. If both are 0, any worker id that has a row may be taken, and
	// rows are created for 0 to 1023, or as many as the layout holds. In a database that has the
	// table of [Disposable], rows are then created for the last 1024 of the layout, or for the upper
	// half of those that its keys have left.
	First, Count int64

	// ExistingOnly takes rows that exist and creates none, for processes that may not create any.
	// `ringuid worker init` or [Init] creates the rows for them.
	ExistingOnly bool

	// AllowOtherLayouts says that ids made with this layout never meet those of other layouts
	// that have worker ids in the same place, for example because the ids are kept in separate
	// tables.
	AllowOtherLayouts bool

	// Owner names the process, for people to read, and for a preference for the row that the same
	// owner held before. It gives no right to a row: two generators with the same owner get
	// two different worker ids. Empty: the name of this machine.
	Owner string

	// Prefer says which worker id to prefer of those that may be taken.
	Prefer Preference

	// TTL is how long after its last renewal a lease expires, so that another process may take
	// over its row. It is 10 ms or more; 0 means 90 s. It decides when a worker id is recycled,
	// never whether ids are unique.
	TTL time.Duration

	// Timeout bounds each call to the store. A call that may change many rows may take ten times
	// as long. 0 means 3 s. A start gives later calls more, up to 20 s, if there is no answer.
	Timeout time.Duration

	// Slack bounds how far two clocks of the store may differ: those of its servers before and
	// after a fail-over, or of its members: a day at most. 0 means 5 s, or one second for SQLite.
	//
	// It belongs to the pool: the store keeps the largest that any process brought, and all
	// processes use that. A larger one has the effect of a fail-over, once: the times in ids jump
	// ahead by up to a minute and the slack. Only a [Quarantine] makes it smaller. If servers may
	// grant alone for a while after another has taken their place, the store adds how long; a
	// store that cannot know it says so in its documentation, and Slack has to include it.
	Slack time.Duration

	// MaxClockOffset refuses to start, with [ErrClock], where this machine's clock and the store's
	// differ by more than this beyond doubt. 0 means a minute, or a tick if that is longer: ids of
	// machines whose clocks differ do not sort by when they were made.
	MaxClockOffset time.Duration

	// AllowUnfenced takes worker ids even from a store whose settings may lose them, such as a
	// Redis that evicts keys. The lease is then [Unfenced].
	AllowUnfenced bool

	// Logger gets a line for each change of state. Nil means slog.Default().
	Logger *slog.Logger

	clock  clock.Clock
	random io.Reader
	times  *atomic.Uint64 // see nonce
	guest  bool           // an operator's command: without a Slack of its own, it takes the pool's
	// wentBack holds the layouts whose rows this claim's leases saw go back in time, each with the
	// error that is the latest proof. The rows are deleted before the claim takes one of them (I12).
	wentBack *sync.Map
}

func (c Claim) withDefaults() Claim {
	c.TTL = cmp.Or(c.TTL, 90*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 3*time.Second)
	// a handler that blocks must not keep a lease from being renewed
	c.Logger = asynclog.Logger(cmp.Or(c.Logger, slog.Default()))
	if !c.guest {
		name, _ := machine.This.HostName()
		c.Owner = cmp.Or(c.Owner, name)
	}
	if c.clock.Wall == nil {
		c.clock = clock.Real()
	}
	c.random = cmp.Or(c.random, rand.Reader)
	c.times = cmp.Or(c.times, new(atomic.Uint64))
	c.wentBack = cmp.Or(c.wentBack, new(sync.Map))
	return c
}

const (
	mostWorkerIDs = 1 << 16               // that a claim may name
	leastTTL      = 10 * time.Millisecond // bounds how often a row is written
	day           = 24 * time.Hour        // sums with it, in ticks too, do not overflow
)

func (c Claim) validate(n Need) error {
	switch {
	case n.Unit < time.Millisecond || n.Unit%time.Millisecond != 0 || n.Fingerprint == "":
		return fmt.Errorf("%w: the layout's ticks are %v, and its Fingerprint %q: want whole "+
			"milliseconds, and a name", ErrClaim, n.Unit, n.Fingerprint)
	case c.First < 0 || c.Count < 0 || c.Count > mostWorkerIDs || c.First > 0 && c.Count == 0:
		return fmt.Errorf("%w: %d worker ids from %d on: want a First of 0 or more, and a Count "+
			"of 1 to %d", ErrClaim, c.Count, c.First, mostWorkerIDs)
	case c.First > n.MaxID-max(c.Count-1, 0):
		return fmt.Errorf("%w: the claim asks for %d worker ids from %d on, the layout holds 0 to %d",
			ErrIDRange, c.Count, c.First, n.MaxID)
	case int(c.Prefer) >= len(preferences):
		return fmt.Errorf("%w: there is no Prefer %d", ErrClaim, c.Prefer)
	case c.TTL < leastTTL || min(c.Timeout, c.Slack, c.MaxClockOffset) < 0,
		max(c.Timeout, c.Slack) > day:
		return fmt.Errorf("%w: TTL %v, Timeout %v, Slack %v, MaxClockOffset %v: want a TTL of %v "+
			"or more, none negative, and a Timeout and a Slack of a day at most", ErrClaim, c.TTL, c.Timeout,
			c.Slack, c.MaxClockOffset, leastTTL)
	}
	return nil
}

// nonce returns 128 random bits, mixed with the times of this nonce and of all before it. A clone
// of this machine draws the same random numbers until its kernel notices that it was cloned, and
// with equal nonces both would take the row for their own. They may draw one in the same
// nanosecond, but not each of those that lead to a write.
func (c Claim) nonce() (n store.Nonce) {
	if _, err := io.ReadFull(c.random, n[:]); err != nil {
		panic("worker: no randomness: " + err.Error()) // crypto/rand does not fail
	}
	times := c.times.Add(uint64(c.clock.Wall().UnixNano()) * 0x9E37_79B9_7F4A_7C15)
	low := binary.LittleEndian.Uint64(n[8:])
	binary.LittleEndian.PutUint64(n[8:], low^times)
	n[0] ^= byte(times >> 56) // pauses are drawn from it
	return n
}
