package texttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// TestMembersThatSlept pauses members of a cluster: a follower that lags behind, and a leader
// that sleeps through an election and believes that it leads. Each knows nothing of what was
// acknowledged meanwhile, and is asked for it as soon as it wakes up. open returns a store with
// a client of its own that knows this member alone. remembers says that such a leader may show
// an older state; whoever builds on that writes nothing.
func TestMembersThatSlept(t *testing.T, c *testserver.Cluster, open func(addr string) store.Store,
	remembers bool) {
	leasetest.Make(t, open(c.Leader().Addr()))
	answers := 0
	for name, pick := range map[string]func() *testserver.Server{"follower": c.Follower,
		"leader": c.Leader} {
		for range 3 {
			member := pick()
			lagging := open(member.Addr())
			before := inTime(t, lagging)
			member.Pause()
			s := open(c.Leader().Addr())
			require.Eventually(t, func() bool {
				v, err := s.View(t.Context(), leasetest.Pool, 0, 3)
				if err != nil {
					return false
				}
				applied, err := s.Write(t.Context(), leasetest.Extension(v))
				return applied && err == nil
			}, time.Minute, 10*time.Millisecond)
			want := inTime(t, s)

			look := underWay(t,
				func() (store.View, error) { return lagging.View(t.Context(), leasetest.Pool, 0, 3) })
			send := underWay(t,
				func() (bool, error) { return lagging.Write(t.Context(), leasetest.Extension(before)) })
			member.Resume()
			applied, err := send()
			assert.False(t, applied, "%s: %v", name, err)
			got, err := look()
			switch {
			case err != nil: // it has found out that it leads no more, or has to join again
			case name == "leader" && remembers:
				assert.Contains(t, []store.Row{before.Rows[0], want.Rows[0]}, got.Rows[0])
			default:
				answers++
				assert.Equal(t, want.Rows, got.Rows, name)
			}
			assert.Equal(t, want.Rows, inTime(t, s).Rows, name)
			require.Eventually(t, func() bool {
				v, err := lagging.View(t.Context(), leasetest.Pool, 0, 3)
				return err == nil && assert.ObjectsAreEqual(want.Rows, v.Rows)
			}, time.Minute, 10*time.Millisecond, "it has caught up")
		}
	}
	assert.NotZero(t, answers)
}

// inTime returns a view of a cluster that may elect another leader at any time, as it does on a
// busy machine: calls fail meanwhile, and it asks again.
func inTime(t *testing.T, s store.Store) (v store.View) {
	t.Helper()
	require.Eventually(t, func() bool {
		var err error
		v, err = s.View(t.Context(), leasetest.Pool, 0, 3)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	return v
}

// underWay makes a call to a server that is paused, and returns a function that waits for
// the answer, which comes when the server is resumed.
func underWay[T any](t *testing.T, call func() (T, error)) (answer func() (T, error)) {
	t.Helper()
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = call()
	}()
	select {
	case <-done:
		require.FailNow(t, "a paused server answered", "%v", err)
	case <-time.After(50 * time.Millisecond):
	}
	return func() (T, error) { <-done; return value, err }
}
