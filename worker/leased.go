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

	// ErrLayout is wrapped by Leased's Assign when worker ids of another layout are in use
	// in the same place. The two layouts could make the same id.
	ErrLayout = errors.New("worker: another layout is in use in the same place")

	// ErrDeleted is wrapped by Lease.Err when the row of the worker id was deleted. What was
	// granted may be used up: a new row begins above it.
	ErrDeleted = errors.New("worker: the row of the worker id was deleted")
)

// DefaultSlack is the Slack of a [Claim] that sets none.
const DefaultSlack = 5 * time.Second

// Claim says which worker ids of a store [Leased] may take, and how. The zero value takes
// any worker id that the layout has there, and creates rows for up to 1024 of them.
type Claim struct {
	// First and Last bound the worker ids, to keep data centres apart, for example. At most
	// 65,536. Both 0: any that has a row; rows are created for 0 to 1023, or as many as the
	// layout holds.
	First, Last int64

	// ExistingOnly takes rows that are there and creates none, for processes that may not:
	// `uidbench worker init` or [Init] has created them.
	ExistingOnly bool

	// AllowOtherLayouts says that ids made with this layout never meet those of other
	// layouts that have worker ids in the same place, because they are kept in separate
	// tables, for example.
	AllowOtherLayouts bool

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

	// Slack bounds how far two clocks of the store may differ: of its servers before and
	// after a fail-over, of its members, of the processes that write where writes have no
	// clock. 0: [DefaultSlack], a second for SQLite.
	Slack time.Duration

	// AllowUnfenced takes worker ids even from a store whose settings may lose them,
	// such as a Redis that evicts keys. The lease is [Unfenced] then.
	AllowUnfenced bool

	// Logger gets a line for each change of state. Nil: slog.Default().
	Logger *slog.Logger

	clock  clock.Clock
	random io.Reader
	chance store.Nonce // the randomness of an Order
	doubts *doubts     // about rows that this claim's leases saw go back in time
}

// Leased takes a worker id from a store, together with a window of time that the store
// durably grants to it, and gives it back to be recycled. The package's documentation says
// why two holders never mint the same id.
//
// The worker ids of one layout in one place, a table or a key prefix, are a pool: whoever
// uses that layout there shares them. Rows that are missing are created by whoever needs
// them, and begin a window after the store's clock. So the first process of a new pool waits
// for [Claim.Slack] and a tick, and its ids are up to a minute ahead of the clock until that
// has caught up.
//
// A worker id that nobody holds may still not be taken for some time: while it is granted
// as far ahead as the store allows, as after a fail-over, a burst, or when it is new. If
// there is no other, Assign waits for it as long as its context lasts, and says so in the
// log. It does not wait for processes that are alive to stop.
//
// The error of Assign wraps [ErrStore], [ErrAllHeld], [ErrClaim], [ErrClock], [ErrRange],
// [ErrLayout], [ErrNotMade], [ErrOverlap], [ErrRolledBack], or the error of the store's
// client.
func Leased(s Store, c Claim) Assigner { return &leased{store: s, claim: c.withDefaults()} }

type leased struct {
	store Store
	claim Claim

	clockless atomic.Bool // whether it was logged that the store's clock cannot be read
}

func (c Claim) withDefaults() Claim {
	c.TTL = cmp.Or(c.TTL, 90*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 3*time.Second)
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
	if c.doubts == nil {
		c.doubts = new(doubts)
	}
	return c
}

// mostWorkerIDs is how many a claim may name.
const mostWorkerIDs = 1 << 16

// leastTTL bounds how often a row is written.
const leastTTL = 10 * time.Millisecond

func (c Claim) validate(n Need) error {
	switch {
	case n.Unit < time.Millisecond || n.Unit%time.Millisecond != 0:
		return fmt.Errorf("%w: the layout's ticks are %v: want whole milliseconds", ErrClaim, n.Unit)
	case c.First < 0 || c.Last < c.First:
		return fmt.Errorf("%w: worker ids from %d to %d: want 0 <= First <= Last", ErrClaim, c.First,
			c.Last)
	case c.Last-c.First >= mostWorkerIDs:
		return fmt.Errorf("%w: worker ids from %d to %d: at most %d", ErrClaim, c.First, c.Last,
			mostWorkerIDs)
	case c.Last > n.MaxID:
		return fmt.Errorf("%w: the claim asks for worker ids up to %d, the layout holds 0 to %d",
			ErrRange, c.Last, n.MaxID)
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
	if err := a.claim.validate(n); err != nil {
		return nil, err
	}
	class, err := a.check(ctx)
	if err != nil {
		return nil, err
	}
	taker := acquirer{c: a.claim, need: n, h: holder{owner: a.claim.Owner, ttl: a.claim.TTL}}
	if paced, ok := a.store.(store.Paced); ok {
		taker.pace = paced.Pace()
	}
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
				return nil, waits.ended(fmt.Errorf("worker: acquiring a worker id: %w", err))
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
	return hold(a.store, a.claim, class, taker.keeper(at), taker.filler()), nil
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
	if parked := (*parkedError)(nil); errors.As(blocked, &parked) && parked.new {
		c.Logger.Info("worker ids are new here: the first ids are ahead of the clock, until it has "+
			"caught up", "first_id_after", stamp(parked.until))
		return
	}
	c.Logger.Warn("waiting for a worker id", "reason", blocked)
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
		a.claim.Logger.Warn("cannot read the store's clock; no worker id is taken or renewed until it "+
			"can be read", "reason", v.Clock)
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
