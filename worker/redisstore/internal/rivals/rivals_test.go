package rivals

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/redisstore"
	"github.com/ringuid/ringuid/worker/store"
)

const (
	lastID = 1 // worker ids 0 and 1

	// ttl is in place of the minute and the quarter of one after which the models take a
	// process for dead, so that a test need not wait that long.
	ttl    = failover.TTL
	window = time.Second
	slack  = 200 * time.Millisecond
)

// schemes are the models, and the leases of this module.
var schemes = map[string]scheme{
	"Yitter":  {byYitter, func(*testing.T, string) {}},
	"Adnc":    {byAdnc, makeSet},
	"ringuid": {byLease, makeNamespace},
}

type scheme struct {
	failover.Scheme
	prepare func(t *testing.T, addr string) // a new server
}

func byLease(t *testing.T, addr string, machine clock.Clock) worker.Assigner {
	c := worker.Claim{TTL: ttl, Timeout: ttl / 2, Slack: slack, Logger: slog.New(slog.DiscardHandler)}
	return worker.Leased(ours(t, addr), c.OnClock(machine))
}

func ours(t *testing.T, addr string) *redisstore.Store {
	return redisstore.New(client(t, addr), redisstore.Options{})
}

func makeNamespace(t *testing.T, addr string) {
	n, err := worker.NewNamespace("default", failover.FleetLayout.Need(), 0, lastID, window)
	require.NoError(t, err)
	require.NoError(t, ours(t, addr).Init(t.Context(), n, store.InitOptions{Fresh: true}))
}

// client repeats nothing: a test cuts connections for longer than that would take.
func client(t *testing.T, addr string) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1, ReadTimeout: ttl / 2})
	t.Cleanup(func() { c.Close() })
	return c
}

// kept is a worker id of a model: for ever, as far as the process is concerned.
type kept struct {
	worker.Lease
	end func(context.Context)
}

func (k kept) Release(ctx context.Context, _ int64) error {
	k.end(ctx)
	return nil
}

// keep has a goroutine say at intervals that a worker id is still in use, until its
// process stops in good order and says that, too.
func keep(ctx context.Context, n worker.Need, id int64, every time.Duration, alive, stop func(context.Context)) (worker.Lease, error) {
	l, err := worker.Static(id).Assign(ctx, n)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-life.Done():
				return
			case <-tick.C:
				alive(life)
			}
		}
	})
	return kept{l, func(ctx context.Context) {
		end()
		keeping.Wait()
		stop(ctx)
	}}, nil
}

// both waits until processes have each handed out the ids of some time to come, further
// than anything that was granted before.
func both(f *failover.Fleet, processes ...*failover.Process) []uid.ID {
	until := failover.After(window + slack + 300*time.Millisecond)
	for _, p := range processes {
		p.Reaches(until)
	}
	return f.Duplicates()
}
