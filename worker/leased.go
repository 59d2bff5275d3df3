package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/store"
)

var (
	// ErrAllHeld is wrapped by Leased's Assign when every worker id of the claim is
	// held, or granted too far ahead. The error says how many, and when the first
	// becomes free.
	ErrAllHeld = errors.New("worker: no worker id is free")

	// ErrClock is wrapped by Leased's Assign when this machine's clock and the store's
	// differ by more than the namespace's window; and by Lease.Err when the store's was
	// set back by more, and then the machine restored from a snapshot.
	ErrClock = errors.New("worker: the clocks of this machine and the store are too far apart")
)

// DefaultSlack is the Slack of a [Claim] that sets none.
const DefaultSlack = 5 * time.Second

// Claim says which worker ids of a store [Leased] may take, and how. The zero value takes
// any worker id of the namespace "default".
type Claim struct {
	// Namespace is one that Store.Init created. Empty: "default".
	Namespace string

	// First and Last bound the worker ids, to keep data centres apart, for example.
	// Both 0: all worker ids of the namespace.
	First, Last int64

	// Owner names the process, for people to read and for orders that prefer the row
	// which the same owner held before. It gives no right to a row: two generators with
	// the same owner get two worker ids.
	Owner string

	// Order sorts the rows that may be taken, the preferred ones first. Nil: [Spread].
	Order Order

	// TTL is how long after its last renewal a lease expires, so that another process
	// may take over its row. 10 ms or more; 0: 90 s. It decides when a worker id is
	// recycled, never whether ids are unique.
	TTL time.Duration

	// Timeout bounds each call to the store. 0: 3 s.
	Timeout time.Duration

	// Slack bounds how far the clocks of the store's servers before and after a
	// fail-over may differ. 0: [DefaultSlack]. Only [FencedLossy] stores rest on it.
	Slack time.Duration

	// AllowUnfenced takes worker ids even from a store whose settings may lose them,
	// such as a Redis that evicts keys. The lease is [Unfenced] then.
	AllowUnfenced bool

	// Logger gets a line for each change of state. Nil: slog.Default().
	Logger *slog.Logger

	clock    clock.Clock
	random   io.Reader
	chance   store.Nonce // the randomness of an Order
	rollback *rollback   // what this claim's leases know of one
}

// Leased takes a worker id from a store, together with a window of time that the store
// durably grants to it, and gives it back to be recycled. The package's documentation says
// why two holders never mint the same id.
//
// A worker id that nobody holds may still not be taken for some time: while it is granted
// as far ahead as the store allows, as after a quarantine, a fail-over, a burst, or when
// the namespace was just made. If there is no other, Assign waits for it as long as its
// context lasts, and says so in the log. It does not wait for processes that are alive to
// stop.
//
// The error of Assign wraps [ErrNoNamespace], [ErrNamespace], [ErrStore], [ErrAllHeld], [ErrClaim],
// [ErrClock], [ErrRange], [ErrRolledBack], or the error of the store's client.
func Leased(s Store, c Claim) Assigner { return &leased{store: s, claim: c.withDefaults()} }

type leased struct {
	store Store
	claim Claim

	clockless atomic.Bool // whether it was logged that the store's clock cannot be read
}

func (c Claim) withDefaults() Claim {
	c.Namespace = cmp.Or(c.Namespace, "default")
	c.TTL = cmp.Or(c.TTL, 90*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 3*time.Second)
	c.Slack = cmp.Or(c.Slack, DefaultSlack)
	// a handler that blocks must not keep a lease from being renewed
	c.Logger = asynclog.Logger(cmp.Or(c.Logger, slog.Default()))
	if c.Order == nil {
		c.Order = Spread
	}
	if c.random == nil {
		c.random = rand.Reader
	}
	if c.clock.Wall == nil {
		c.clock = clock.Real()
	}
	if c.rollback == nil {
		c.rollback = new(rollback)
	}
	return c
}

// leastTTL bounds how often a row is written.
const leastTTL = 10 * time.Millisecond

func (c Claim) validate() error {
	switch {
	case c.First < 0 || c.Last < c.First:
		return fmt.Errorf("%w: worker ids from %d to %d: want 0 <= First <= Last", ErrClaim, c.First,
			c.Last)
	case c.TTL < 0 || c.Timeout < 0 || c.Slack < 0:
		return fmt.Errorf("%w: TTL %v, Timeout %v, Slack %v: none may be negative", ErrClaim, c.TTL,
			c.Timeout, c.Slack)
	case c.TTL < leastTTL:
		return fmt.Errorf("%w: a TTL of %v: want %v or more", ErrClaim, c.TTL, leastTTL)
	}
	return nil
}

// nonce is 128 random bits, mixed with the time: a clone of this machine draws the same
// random numbers until its kernel notices that it was cloned, and with equal nonces both
// would take the row for their own. They do not draw in the same nanosecond.
func (c Claim) nonce() (n store.Nonce) {
	if _, err := io.ReadFull(c.random, n[:]); err != nil {
		panic("worker: no randomness: " + err.Error()) // crypto/rand does not fail
	}
	low := binary.LittleEndian.Uint64(n[8:])
	binary.LittleEndian.PutUint64(n[8:], low^uint64(c.clock.Wall().UnixNano()))
	return n
}

// Assign tries rows until it has one or ctx ends.
//
// What it waits for meanwhile is told at once, and then more and more rarely.
func (a *leased) Assign(ctx context.Context, n Need) (Lease, error) {
	if err := a.claim.validate(); err != nil {
		return nil, err
	}
	class, err := a.check(ctx)
	if err != nil {
		return nil, err
	}
	_, makes := a.store.(Maker)
	taker := acquirer{c: a.claim, need: n, makes: makes,
		h: holder{owner: a.claim.Owner, ttl: a.claim.TTL}}
	at := a.claim.moment(noTick)
	var waits waiting
	for next := taker.step(at, answer{}); !next.over; {
		var ans answer
		if next.call != nil {
			ans = a.claim.do(ctx, a.store, next.call)
			a.tell(ans.view)
		} else {
			waits.tell(a.claim, at.mono, next.blocked)
			if err := pause(ctx, next.wait); err != nil {
				return nil, waits.ended(fmt.Errorf("worker: acquiring a worker id in %q: %w", a.claim.Namespace,
					err))
			}
		}
		at = a.claim.moment(noTick)
		next = taker.step(at, ans)
	}
	switch {
	case taker.err != nil && ctx.Err() != nil:
		return nil, waits.ended(taker.err)
	case taker.err != nil:
		return nil, taker.err
	}
	return hold(a.store, a.claim, class, taker.keeper(at)), nil
}

// waiting is for a row that may be taken at a known time.
type waiting struct {
	blocked error         // nil: it waits for no row
	next    time.Duration // the moment of the next line in the log
	pauses  time.Duration // between two lines, longer each time
}

// tell notes what is waited for, nil for nothing, and logs it at once and then rarely.
func (w *waiting) tell(c Claim, now time.Duration, blocked error) {
	w.blocked = blocked
	if blocked == nil || w.pauses > 0 && now < w.next {
		return
	}
	w.pauses = max(time.Minute, 2*w.pauses)
	w.next = now + w.pauses
	c.Logger.Warn("waiting for a worker id", "namespace", c.Namespace, "reason", blocked)
}

// ended adds to the error of a context that ended what was waited for.
func (w *waiting) ended(err error) error {
	if w.blocked == nil {
		return err
	}
	return fmt.Errorf("%w; waited for one until the context ended: %w", w.blocked, err)
}

// tell logs, once, that the store's clock cannot be read.
func (a *leased) tell(v store.View) {
	if v.Clock != nil && !a.clockless.Swap(true) {
		a.claim.Logger.Warn("cannot read the store's clock; this machine's clock decides how far "+
			"ahead ticks are granted, and which leases have expired", "reason", v.Clock)
	}
}

// check asks the store for the class of its leases.
func (a *leased) check(ctx context.Context) (Class, error) {
	ctx, cancel := context.WithTimeout(ctx, a.claim.Timeout)
	defer cancel()
	class, err := a.store.Check(ctx)
	switch {
	case errors.Is(err, ErrStore) && a.claim.AllowUnfenced:
		a.claim.Logger.Warn("the store's settings may give one worker id to two processes; taking one "+
			"anyway, since AllowUnfenced is set", "reason", err)
		return Unfenced, nil
	case err != nil:
		return 0, fmt.Errorf("worker: checking the store's settings: %w", err)
	}
	return class, nil
}

// pause waits for the next attempt.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// backOff is how long to wait after this many failures: a random time that grows with them,
// up to a second, or five seconds after manyFailures.
func backOff(failures int, random store.Nonce) time.Duration {
	most := min(time.Second, 5*time.Millisecond<<min(failures, 8))
	if failures > manyFailures {
		most = 5 * time.Second
	}
	return time.Millisecond + most*time.Duration(random[0])/256
}

// manyFailures take half a minute, or longer where each is a timeout.
const manyFailures = 60
