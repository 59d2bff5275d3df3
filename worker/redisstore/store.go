package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker/store"
)

// Options say how a Store uses its server. The zero value suits a server without
// replicas.
type Options struct {
	// Prefix of all keys, and their hash tag: in a cluster they lie in one slot.
	// Empty: "ringuid".
	Prefix string

	// MinReplicas is how many replicas must have a write before it counts: the Store
	// sends WAIT after it, and from Redis 7.2 WAITAOF. With fewer, the outcome of the
	// write is not known, and nothing is granted.
	MinReplicas int

	// WaitTimeout bounds each of the two waits. Zero: 500 ms. Twice this must be
	// less than the client's ReadTimeout, which is 3 s unless it was set.
	WaitTimeout time.Duration

	// AssertDurable says that the server keeps what it acknowledges and evicts nothing,
	// where Check cannot find out because CONFIG is forbidden.
	AssertDurable bool

	// AssertAllReplicas says that MinReplicas counts every server that can ever take
	// the primary's place, those that are down included, that each writes a log, and
	// that there is no other replica. So 0 says that there is none. Then a fail-over
	// loses nothing, and the class is Fenced; but no grant is made while one of them is
	// missing. With replicas, Redis 7.2 or Valkey is required. It does not hold in a
	// cluster.
	AssertAllReplicas bool
}

// Store is a store.Store on Redis. Its methods may be called from any
// goroutine.
type Store struct {
	client redis.UniversalClient
	o      Options
}

// New returns a store on a server, a server found through sentinels, or a cluster. The
// caller keeps the client, and closes it.
func New(client redis.UniversalClient, o Options) *Store {
	o.Prefix = cmp.Or(o.Prefix, "ringuid")
	o.WaitTimeout = cmp.Or(o.WaitTimeout, 500*time.Millisecond)
	return &Store{client, o}
}

// key has the prefix as its hash tag: a script that makes a namespace looks at the
// record of the layout too, so all keys lie in one slot of a cluster.
func (s *Store) key(kind, name string) string { return "{" + s.o.Prefix + "}:" + kind + ":" + name }

func (s *Store) nsKey(name string) string { return s.key("namespace", name) }

func (s *Store) rowKey(name string, id int64) string {
	return s.key("worker", name+":"+strconv.FormatInt(id, 10))
}

// spaceKey is that of a layout's record, which all its namespaces share.
func (s *Store) spaceKey(fingerprint string) string { return s.key("layout", fingerprint) }

// exact bounds the numbers that scripts reckon with: they are doubles there.
const exact = 1<<53 - 1

// Write is described at store.Store.
func (s *Store) Write(ctx context.Context, w store.Write) (bool, error) {
	if !w.Release && w.High > exact {
		return false, ctx.Err() // further than any window
	}
	keys := []string{s.nsKey(w.Namespace), s.rowKey(w.Namespace, w.Worker)}
	kind := "extend"
	switch {
	case w.Release:
		kind = "release"
	case w.Acquire:
		kind = "acquire"
	}
	args := []any{rand.Text(), w.Worker, w.Fingerprint, w.Epoch, w.Floor, w.Nonce.String(), w.High,
		millis(w.TTL), w.Owner, kind}
	for _, n := range w.Expect {
		args = append(args, n.String())
	}
	return s.outcome(ctx, w.Namespace, fmt.Sprintf("writing worker id %d", w.Worker), writeScript,
		keys, args)
}

// Raise is described at store.Store.
func (s *Store) Raise(ctx context.Context, r store.Raise) (bool, error) {
	keys := []string{s.nsKey(r.Namespace)}
	return s.outcome(ctx, r.Namespace, "raising the floor", raiseScript, keys,
		[]any{r.Epoch, r.Floor, r.Margin})
}

// Quarantine is described at store.Store. The floor is 2^53-1 at most.
func (s *Store) Quarantine(ctx context.Context, namespace string, floor int64) error {
	if floor > exact || floor < -exact {
		return fmt.Errorf("redisstore: a floor of %d: want %d at most", floor, int64(exact))
	}
	_, err := s.outcome(ctx, namespace, "raising the floor", quarantineScript,
		[]string{s.nsKey(namespace)}, []any{floor})
	return err
}

// outcome runs a script that writes, and says 1, or 0 for a condition that
// failed, or -1 when there is nothing to write to.
func (s *Store) outcome(ctx context.Context, namespace, doing string, script *redis.Script,
	keys []string, args []any) (bool, error) {
	answer, err := s.write(ctx, script, keys, args)
	if err != nil {
		return false, s.explain(doing+" in "+strconv.Quote(namespace), err)
	}
	if answer < 0 {
		return false, fmt.Errorf("redisstore: %s: %w: %q: %s", doing, store.ErrNoNamespace, namespace,
			gone)
	}
	return answer == 1, nil
}

const gone = "create it with `uidbench worker init` or Store.Init; if it existed, the server " +
	"lost or evicted it"

// millis rounds up: a lease is never shorter than what was asked for.
func millis(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
