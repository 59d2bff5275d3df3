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

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/notice"
	"github.com/ringuid/ringuid/worker/store"
)

var (
	// ErrAllHeld is wrapped by the Assigner when every worker id of the claim is
	// held or parked. The error says how many, and when the first may be free.
	ErrAllHeld = errors.New("worker: no worker id is free")

	// ErrClock is wrapped by the Assigner when this machine's clock and the
	// store's are further apart than a window.
	ErrClock = errors.New("worker: the clocks of this machine and the store are too far apart")
)

// DefaultSlack bounds how far two clocks of a store may differ when nobody says.
const DefaultSlack = 5 * time.Second

// Claim says which worker ids of a store Leased may take, and how. The zero
// value takes any.
type Claim struct {
	// Namespace that Store.Init made. Empty: "default".
	Namespace string

	// First and Last bound the worker ids, so that data centres can be kept
	// apart. Both zero: all of the namespace's.
	First, Last int64

	// Owner is who asks, for people to read and for orders that prefer the row
	// that the same owner held before. It is a preference and never authority:
	// two generators with one owner get two worker ids.
	Owner string

	// Order sorts the rows that may be taken, the preferred first. Nil: Spread.
	Order Order

	// TTL is how long after its last sign of life a row may be taken over.
	// Zero: 90 s; at least 10 ms. It decides when an id is recycled, never whether two are equal.
	TTL time.Duration

	// Timeout bounds one call of the store. Zero: 3 s.
	Timeout time.Duration

	// Slack bounds how far two clocks of the store, before and after a
	// fail-over, may differ. Zero: DefaultSlack. Only FencedLossy stores rest on it.
	Slack time.Duration

	// AllowUnfenced takes worker ids even from a store whose settings cannot
	// keep the promise, such as a Redis that may evict. The class says so.
	AllowUnfenced bool

	// Logger gets a line on each change of state. Nil: slog.Default().
	Logger *slog.Logger

	clock  clock.Clock
	random io.Reader
	chance store.Nonce // what an Order may shuffle by
	past   *past       // of the store, as this claim's leases know it
}

// Leased takes a worker id of a store together with a window of time that is
// durably granted to it, and gives it back to be recycled. See the package's
// documentation for why two holders never mint one tick.
//
// Assign wraps ErrNoNamespace, ErrNamespace, ErrStore, ErrAllHeld, ErrClaim,
// ErrClock, ErrRange or ErrRolledBack, or what the store's client says.
func Leased(s Store, c Claim) Assigner { return &leased{store: s, claim: c.withDefaults()} }

type leased struct {
	store Store
	claim Claim

	clockless atomic.Bool // it was told that the store's clock cannot be asked
}

func (c Claim) withDefaults() Claim {
	c.Namespace = cmp.Or(c.Namespace, "default")
	c.TTL = cmp.Or(c.TTL, 90*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 3*time.Second)
	c.Slack = cmp.Or(c.Slack, DefaultSlack)
	c.Logger = notice.Logger(cmp.Or(c.Logger, slog.Default())) // a handler that blocks must not keep a lease from being renewed
	if c.Order == nil {
		c.Order = Spread
	}
	if c.random == nil {
		c.random = rand.Reader
	}
	if c.clock.Wall == nil {
		c.clock = clock.Real()
	}
	if c.past == nil {
		c.past = new(past)
	}
	return c
}

// leastTTL is as often as any store can be written to.
const leastTTL = 10 * time.Millisecond

func (c Claim) validate() error {
	switch {
	case c.First < 0 || c.Last < c.First:
		return fmt.Errorf("%w: worker ids from %d to %d: want 0 <= First <= Last", ErrClaim, c.First, c.Last)
	case c.TTL < 0 || c.Timeout < 0 || c.Slack < 0:
		return fmt.Errorf("%w: TTL %v, Timeout %v, Slack %v: none may be negative", ErrClaim, c.TTL, c.Timeout, c.Slack)
	case c.TTL < leastTTL:
		return fmt.Errorf("%w: a TTL of %v: want %v or more, or it is renewed all the time", ErrClaim, c.TTL, leastTTL)
	}
	return nil
}

// nonce is 128 random bits. The time is mixed in: a copy of this machine has the
// same random numbers ahead of it until its kernel notices, and with one nonce
// both would take the row for their own. They do not draw it in one nanosecond.
func (c Claim) nonce() (n store.Nonce) {
	if _, err := io.ReadFull(c.random, n[:]); err != nil {
		panic("worker: no randomness: " + err.Error()) // crypto/rand does not fail
	}
	low := binary.LittleEndian.Uint64(n[8:])
	binary.LittleEndian.PutUint64(n[8:], low^uint64(c.clock.Wall().UnixNano()))
	return n
}

// Assign tries rows in the claim's order until one is its own or ctx ends.
func (a *leased) Assign(ctx context.Context, n Need) (Lease, error) {
	if err := a.claim.validate(); err != nil {
		return nil, err
	}
	class, err := a.check(ctx)
	if err != nil {
		return nil, err
	}
	taker := acquirer{c: a.claim, need: n, h: holder{owner: a.claim.Owner, ttl: a.claim.TTL}}
	at := a.claim.moment(noTick)
	for next := taker.step(at, answer{}); !next.over; {
		var ans answer
		if next.call != nil {
			ans = a.claim.do(ctx, a.store, next.call)
			a.tell(ans.view)
		} else if err := pause(ctx, next.wait); err != nil {
			return nil, fmt.Errorf("worker: acquiring a worker id in %q: %w", a.claim.Namespace, err)
		}
		at = a.claim.moment(noTick)
		next = taker.step(at, ans)
	}
	if taker.err != nil {
		return nil, taker.err
	}
	return hold(a.store, a.claim, class, taker.keeper(at)), nil
}

// tell says once that the store's clock cannot be asked.
func (a *leased) tell(v store.View) {
	if v.Clock != nil && !a.clockless.Swap(true) {
		a.claim.Logger.Warn("the store's clock cannot be asked; this machine's decides how far ahead is granted, and who has expired", "reason", v.Clock)
	}
}

// check asks the store what a lease of it is worth.
func (a *leased) check(ctx context.Context) (Class, error) {
	ctx, cancel := context.WithTimeout(ctx, a.claim.Timeout)
	defer cancel()
	class, err := a.store.Check(ctx)
	switch {
	case errors.Is(err, ErrStore) && a.claim.AllowUnfenced:
		a.claim.Logger.Warn("the store cannot keep worker ids apart; they are taken all the same", "reason", err)
		return Unfenced, nil
	case err != nil:
		return 0, fmt.Errorf("worker: asking the store for its settings: %w", err)
	}
	return class, nil
}

// pause waits a little before the next attempt.
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

// backOff is how long to wait after so many failures: longer each time, at random, a
// second at most, and five when there was no end of them.
func backOff(failures int, random store.Nonce) time.Duration {
	most := min(time.Second, 5*time.Millisecond<<min(failures, 8))
	if failures > manyFailures {
		most = 5 * time.Second
	}
	return time.Millisecond + most*time.Duration(random[0])/256
}

// manyFailures take half a minute, or longer where each is a timeout.
const manyFailures = 60
