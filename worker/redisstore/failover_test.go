package redisstore

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// couple is a primary and its replica. Clients find whoever is the primary through
// front; the replica hears the primary through link.
type couple struct {
	t                *testing.T
	primary, replica *testserver.Server
	front, link      *testserver.Proxy
}

// coupled is a primary that stops without its replica, though some seconds late,
// and a replica in step.
func coupled(t *testing.T) couple { return coupledAhead(t, 0) }

// coupledAhead is coupled, with a primary whose clock is ahead.
func coupledAhead(t *testing.T, ahead time.Duration) couple {
	server := func(args ...string) *testserver.Server {
		args = append(args, "--repl-diskless-sync-delay", "0", "--repl-timeout", "120")
		s := testserver.Redis(t, testserver.Durable(), testserver.Args(args...))
		t.Cleanup(s.Kill) // it does not stop in good order while it writes its first log
		return s
	}
	c := couple{t: t, primary: server("--min-replicas-to-write", "1", "--min-replicas-max-lag", "3")}
	if ahead != 0 {
		c.primary.Kill()
		c.primary.Ahead(ahead)
		c.primary.Start()
	}
	c.front, c.link = testserver.NewProxy(t, c.primary.Addr()),
		testserver.NewProxy(t, c.primary.Addr())
	host, port, err := net.SplitHostPort(c.link.Addr())
	require.NoError(t, err)
	c.replica = server("--replicaof", host+" "+port)
	inStep(c.t, c.primary, 1)
	return c
}

// inStep waits until so many replicas of a primary have all that it has, and on disk, if
// the server can tell. WAIT asks for what its own connection wrote, so that one writes.
func inStep(t *testing.T, primary *testserver.Server, replicas int) {
	t.Helper()
	conn := open(t, primary.Addr()).Conn()
	defer conn.Close()
	require.Eventually(t, func() bool {
		if conn.Set(t.Context(), "probe", 1, 0).Err() != nil || conn.Do(t.Context(), "WAIT", replicas,
			100).Val() != int64(replicas) {
			return false
		}
		onDisk, err := conn.Do(t.Context(), "WAITAOF", 1, replicas, 100).Int64Slice()
		return redis.HasErrorPrefix(err, "unknown command") || err == nil && onDisk[1] == int64(replicas)
	}, time.Minute, 5*time.Millisecond, "the replicas are in step")
}

func (c couple) open() store.Store {
	return unasking{newRows(open(c.t, c.front.Addr()), Options{})}
}

// unasking is a store that does not ask the server how many replicas have to confirm a write.
type unasking struct{ *rows }

func (u unasking) Check(ctx context.Context) (bool, error) {
	defer u.checked.Store(false)
	return u.rows.Check(ctx)
}

// hold has the replica hear nothing any more; goBack promotes it.
func (c couple) hold() (goBack func()) {
	inStep(c.t, c.primary, 1)
	c.link.Hang()
	return func() {
		c.primary.Kill()
		c.link.Drop()
		must(c.t, open(c.t, c.replica.Addr()), "REPLICAOF", "NO", "ONE")
		c.front.Turn(c.replica.Addr())
	}
}

// A replica is promoted that never heard of the latest grants.
func TestFailOverLosesGrants(t *testing.T) {
	t.Parallel()
	c := coupled(t)
	lossy, err := c.open().Check(t.Context())
	require.NoError(t, err)
	assert.True(t, lossy)
	assert.Zero(t, leasetest.Rewind{Open: c.open, Keep: c.hold, Crash: 2, CutOff: 1}.Play(t))
}

// apart cuts a primary off from its replica, which is promoted while the primary
// still serves those who are on its side, or is paused, and served by what it heard of its replica
// before. With late, it has no replica yet when its processes start. It returns how many ids were
// taken twice.
func apart(t *testing.T, slack, ahead time.Duration, paused, late bool, o Options) (twice int) {
	c := coupledAhead(t, ahead)
	side := c.primary
	serving := func() store.Store {
		s := newRows(open(t, side.Addr()), o)
		if paused {
			return s
		}
		return unasking{s}
	}
	old := patient(t, c.primary.Addr())
	host, port, err := net.SplitHostPort(c.link.Addr())
	require.NoError(t, err)
	if late {
		must(t, open(t, c.replica.Addr()), "REPLICAOF", "NO", "ONE")
		must(t, old, "CONFIG", "SET", "min-replicas-to-write", "0")
		require.Eventually(t, func() bool {
			return field(old.Info(t.Context(), "replication").Val(), "connected_slaves") == "0"
		}, time.Minute, 10*time.Millisecond)
	}
	h := leasetest.Start(t, serving(), 1)
	h.Slack = slack
	first := h.Join(serving())
	if late {
		must(t, open(t, c.replica.Addr()), "REPLICAOF", host, port)
		must(t, old, "CONFIG", "SET", "min-replicas-to-write", "1")
	}
	inStep(t, c.primary, 1)
	if paused {
		c.primary.Pause()
		require.Eventually(t, func() bool {
			replica := open(t, c.replica.Addr()).InfoMap(t.Context(), "replication")
			silent, _ := strconv.Atoi(replica.Item("Replication", "master_last_io_seconds_ago"))
			return silent >= 3 // it says once a second that it is there
		}, time.Minute, 100*time.Millisecond, "the primary will hear that its replica is there")
		c.link.Hang()
	} else {
		c.link.Hang()
		require.Eventually(t, func() bool {
			slave := old.InfoMap(t.Context(), "replication").Item("Replication", "slave0")
			return strings.Contains(slave+",", ",lag=2,") // Valkey says more behind it
		}, time.Minute, 20*time.Millisecond, "the primary does not hear its replica")
	}
	must(t, open(t, c.replica.Addr()), "REPLICAOF", "NO", "ONE")
	side, o.MinReplicas = c.replica, 0
	heir := h.Join(serving())
	floor := leasetest.View(t, newRows(open(t, side.Addr()), Options{})).Floor
	reaches := func(tick int64) {
		leasetest.Until(t, "the heir's ids", func() error {
			if last := heir.Last(); last <= tick {
				return fmt.Errorf("they reach %d, not %d", last, tick)
			}
			return nil
		})
	}
	reaches(floor + 100)
	if paused {
		c.primary.Resume()
	}
	leasetest.Until(t, "the old primary stops, or grants what the new one granted", func() error {
		err := old.Set(t.Context(), "probe", 1, 0).Err()
		if redis.HasErrorPrefix(err, "NOREPLICAS") || first.Last() > floor+100 {
			return nil
		}
		return fmt.Errorf("it still serves: %v", err)
	})
	reaches(first.Last())
	return h.Duplicates()
}

// A primary that is cut off stops after min-replicas-max-lag. Who took over grants
// nothing that it may have granted until then, whatever the claim's slack is, which is for clocks.
func TestTwoPrimariesForAWhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slack, ahead time.Duration
		paused, late bool
		Options
	}{
		"a short slack":      {slack: 100 * time.Millisecond},
		"clocks that differ": {slack: 5 * time.Second, ahead: 4 * time.Second},
		"one was paused":     {slack: 5 * time.Second, paused: true},
		"a replica is added": {slack: 5 * time.Second, paused: true, late: true},
		"CONFIG is forbidden": {slack: 5 * time.Second, paused: true,
			Options: Options{AssertDurable: true}},
		"MinReplicas": {slack: 5 * time.Second, paused: true,
			Options: Options{AssertDurable: true, MinReplicas: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Zero(t, apart(t, c.slack, c.ahead, c.paused, c.late, c.Options))
		})
	}
}

// A primary that was a replica meanwhile is another, though it was not restarted.
func TestDemotedAndPromotedAgain(t *testing.T) {
	server, s := durable(t)
	leasetest.Make(t, s)
	before := leasetest.View(t, s)
	must(t, open(t, server.Addr()), "REPLICAOF", "127.0.0.1", "1") // where nobody tells it anything
	must(t, open(t, server.Addr()), "REPLICAOF", "NO", "ONE")
	after := leasetest.View(t, s)
	assert.Equal(t, before.Epoch, after.Epoch)
	assert.NotEqual(t, before.Server, after.Server)
}
