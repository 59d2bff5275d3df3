package redisstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker/store"
)

// Options say how a store uses its server. The zero value suits a server without
// replicas.
type Options struct {
	// Prefix of all keys, and their hash tag: in a cluster they lie in one slot.
	// Empty: "ringuid".
	Prefix string

	// MinReplicas is how many replicas must have a write on disk before it counts: the store sends
	// WAITAOF after it. To a server before Redis 7.2 it sends WAIT, which says how many have the
	// write at all. With fewer, the outcome of the write is not known, and nothing is granted.
	MinReplicas int

	// WaitTimeout bounds that wait. Zero: 500 ms. It must be less than the client's
	// ReadTimeout, which is 3 s unless it was set.
	WaitTimeout time.Duration

	// AssertDurable says that the server keeps what it acknowledges and evicts nothing, and stops
	// with fewer than half of all its replicas, in case Check cannot find out because CONFIG is
	// forbidden. A server whose INFO shows no log, or replicas and no min-replicas-to-write, is
	// refused all the same, unless it is Amazon's: that may differ.
	AssertDurable bool

	// AssertAllReplicas says that MinReplicas counts every server that can ever take the primary's
	// place, including those that are down, that each writes a log, and that there is no other
	// replica. So 0 says that there is none. Then a fail-over loses nothing, and the class is
	// Fenced, but no grant is made while one of them is missing. With replicas, Redis 7.2 or
	// Valkey is required. It does not hold in a cluster.
	AssertAllReplicas bool
}

// New returns a store on a server, a server found through sentinels, or a cluster, whose methods
// may be called from any goroutine. The caller closes the client, after the generator: else a call
// makes a FailoverClient listen to a sentinel again, until it is closed a second time. Each call
// makes a connection of its own, with the client's options, and without its hooks. Without a
// client, Check returns an error.
func New(client redis.UniversalClient, o Options) store.Store {
	o.Prefix = cmp.Or(o.Prefix, "ringuid")
	o.WaitTimeout = cmp.Or(o.WaitTimeout, 500*time.Millisecond)
	return &rows{client: client, o: o}
}

// rows are those of all layouts under one prefix. Its methods are described at store.Store.
type rows struct {
	client  redis.UniversalClient
	o       Options
	checked atomic.Bool  // Check found nothing wrong: the server shows its settings
	alone   atomic.Int64 // see store.View; in nanoseconds, the longest that was found
	half    atomic.Int64 // of the most replicas that were found
}

var _ store.Raiser = (*rows)(nil)

// key returns a key with the prefix as its hash tag: scripts use several keys, so all lie in
// one slot of a cluster.
func (s *rows) key(name string) string { return "{" + s.o.Prefix + "}:" + name }

// headKey returns the key of a head. The scripts list those that there are in the key "heads".
func (s *rows) headKey(layout string) string { return s.key("head:" + layout) }
func (s *rows) rowsKey(layout string) string { return s.key("rows:" + layout) }

func (s *rows) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	row := rowText(p, store.Row{Nonce: nonce})
	return s.each(ctx, "creating rows", "create", p.Layout, workers, row)
}

func (s *rows) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	return s.each(ctx, "opening rows", "open", p.Layout, workers,
		rowText(p, store.Row{Nonce: created}), rowText(p, opened))
}

// batch is how many rows one script creates or opens: this takes some milliseconds, during
// which the server does nothing else.
const batch = 1024

// each runs a script that changes rows of these workers.
func (s *rows) each(ctx context.Context, doing, name, layout string, workers []int64,
	texts ...any) error {
	for some := range slices.Chunk(workers, batch) {
		args := slices.Clone(texts)
		for _, worker := range some {
			args = append(args, worker)
		}
		if _, err := s.write(ctx, doing, name, []string{layout}, args...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *rows) Write(ctx context.Context, w store.Write) (bool, error) {
	args := []any{w.Worker, w.Epoch, w.Floor, fmt.Sprintf("%x", w.Nonce), w.High,
		milliseconds(w.TTL), w.Unit.Milliseconds(), window(w.Pool), w.Owner, w.Acquire, w.Release}
	for _, n := range w.Expect {
		args = append(args, fmt.Sprintf("%x", n))
	}
	return s.write(ctx, fmt.Sprintf("writing worker id %d", w.Worker), "write",
		[]string{w.Layout}, args...)
}

func (s *rows) Raise(ctx context.Context, p store.Pool, was store.Head, ahead int64,
	slack time.Duration) (bool, error) {
	return s.write(ctx, "raising the floor", "raise", []string{p.Layout}, was.Epoch, was.Floor,
		milliseconds(was.Slack), p.Unit.Milliseconds(), ahead, milliseconds(slack))
}

// milliseconds rounds up.
func milliseconds(d time.Duration) int64 { return (d + time.Millisecond - 1).Milliseconds() }

func (s *rows) Forget(ctx context.Context) (bool, error) {
	return s.write(ctx, "deleting heads", "forget", []string{""})
}

func (s *rows) Delete(ctx context.Context, layout string) (err error) {
	var all []string
	if layout == "" {
		if _, all, err = s.look(ctx, store.Pool{}, 0, 0); err != nil {
			return err
		}
	}
	_, err = s.write(ctx, "deleting rows", "delete", append([]string{layout}, all...))
	return err
}

func (s *rows) Now(ctx context.Context) (time.Time, error) {
	v, _, err := s.look(ctx, store.Pool{}, 0, 0)
	return v.Now.Add(time.Millisecond), err // it was cut to milliseconds
}
