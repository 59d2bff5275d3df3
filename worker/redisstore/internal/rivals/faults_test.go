package rivals

import (
	"net"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fault is what happens to a fleet on a server, and the ids that come twice of it.
type fault func(t *testing.T, s *testserver.Server, f *failover.Fleet) []uid.ID

// against runs a fault against all schemes, each on a server of its own that keeps what
// it acknowledges. These give ids twice, and the others none.
func against(t *testing.T, fault fault, these ...string) {
	for name, scheme := range schemes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := server(t)
			scheme.prepare(t, s.Addr())
			found := fault(t, s, failover.NewFleet(t, s.Addr(), scheme.Scheme))
			if slices.Contains(these, name) {
				assert.NotEmpty(t, found, "the model is none, or the fault is none")
			} else {
				assert.Empty(t, found)
			}
		})
	}
}

func server(t *testing.T, args ...string) *testserver.Server {
	args = append(args, "--repl-diskless-sync-delay", "0", "--repl-timeout", "120")
	s := testserver.Redis(t, testserver.Durable(), testserver.Args(args...))
	t.Cleanup(s.Kill) // it does not stop in good order while it writes its first log
	return s
}

// asleep is a process that is away for longer than others take it for alive, and comes
// back when another one has its worker id.
func asleep(f *failover.Fleet, away, back func(*failover.Process)) []uid.ID {
	first, other := two(f)
	away(first)
	other.Reaches(failover.After(2 * ttl)) // and has said meanwhile that it is alive
	heir := f.Start()
	back(first)
	other.Leave() // so that there is a worker id for whoever notices that it lost its own
	return both(f, first, heir)
}

// two are processes that do not start in the same moment: Adnc's get one worker id then.
func two(f *failover.Fleet) (first, second *failover.Process) {
	first = f.Start()
	first.Reaches(failover.After(0))
	return first, f.Start()
}

// A process stands still: a stopped container, a long garbage collection, a machine that
// is moved.
func TestAProcessIsPaused(t *testing.T) {
	against(t, func(_ *testing.T, _ *testserver.Server, f *failover.Fleet) []uid.ID {
		return asleep(f, (*failover.Process).Pause, (*failover.Process).Resume)
	}, "Yitter", "Adnc")
}

// A process runs, and does not reach its server for a while.
func TestAProcessIsCutOff(t *testing.T) {
	against(t, func(_ *testing.T, _ *testserver.Server, f *failover.Fleet) []uid.ID {
		return asleep(f, (*failover.Process).CutOff, (*failover.Process).Mend)
	}, "Yitter", "Adnc")
}

// A replica is promoted that has not heard of the process that started last.
func TestAFailOverLosesAWorkerID(t *testing.T) {
	against(t, func(t *testing.T, primary *testserver.Server, f *failover.Fleet) []uid.ID {
		link := testserver.NewProxy(t, primary.Addr())
		host, port, err := net.SplitHostPort(link.Addr())
		require.NoError(t, err)
		replica := server(t, "--replicaof", host+" "+port)
		inStep(t, client(t, primary.Addr()))
		for setting, value := range map[string]string{"min-replicas-to-write": "1", "min-replicas-max-lag": "3"} {
			require.NoError(t, client(t, primary.Addr()).ConfigSet(t.Context(), setting, value).Err(), "as Check requires")
		}
		first := f.Start()
		inStep(t, client(t, primary.Addr()))
		link.Hang()
		lost := f.Start()
		lost.CutOff() // or it would be the first to ask the new primary, and be alive there
		primary.Kill()
		link.Drop()
		require.NoError(t, client(t, replica.Addr()).Do(t.Context(), "REPLICAOF", "NO", "ONE").Err())
		f.Turn(replica.Addr())
		heir := f.Start()
		lost.Mend()
		first.Leave()
		return both(f, lost, heir)
	}, "Yitter", "Adnc")
}

// inStep waits until a primary's replica has all that the primary has.
func inStep(t *testing.T, primary *redis.Client) {
	require.Eventually(t, func() bool { // WAIT asks for what its own connection wrote
		conn := primary.Conn() // one that waited too long for an answer stays broken
		defer conn.Close()
		return conn.Set(t.Context(), "probe", 1, 0).Err() == nil && conn.Do(t.Context(), "WAIT", 1, 100).Val() == int64(1)
	}, time.Minute, 5*time.Millisecond)
}

// A process stops in good order, and the next one has a clock that is behind.
func TestTheNextProcessHasAClockThatIsBehind(t *testing.T) {
	const behind = 800 * time.Millisecond
	against(t, func(_ *testing.T, _ *testserver.Server, f *failover.Fleet) []uid.ID {
		first, _ := two(f)
		first.Reaches(failover.After(behind))
		first.Leave()
		return both(f, f.StartOn(clock.Real().Ahead(-behind)))
	}, "Yitter", "Adnc")
}

// Nothing happens, but that there are more processes than worker ids.
func TestOneProcessTooMany(t *testing.T) {
	against(t, func(t *testing.T, _ *testserver.Server, f *failover.Fleet) []uid.ID {
		first, second := two(f)
		extra, err := f.TryStart()
		if err != nil {
			return both(f, first, second)
		}
		return both(f, first, second, extra)
	}, "Adnc")
}

// The server has Redis's own settings, is killed, and comes back. It saves every now and
// then, and has no log.
func TestAServerWithDefaultSettingsIsKilled(t *testing.T) {
	for name, scheme := range schemes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testserver.Redis(t)
			if name == "ringuid" {
				_, err := ours(t, s.Addr()).Check(t.Context())
				assert.ErrorIs(t, err, store.ErrStore, "it takes no worker id from such a server")
				return
			}
			f := failover.NewFleet(t, s.Addr(), scheme.Scheme)
			first := f.Start()
			s.Kill()
			s.Start()
			assert.NotEmpty(t, both(f, first, f.Start()))
		})
	}
}
