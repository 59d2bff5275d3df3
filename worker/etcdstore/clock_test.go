package etcdstore

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"math"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// jumping is this machine's clock, set forward by so much.
func jumping(by *atomic.Int64) clock.Clock {
	k := clock.Real()
	wall := k.Wall
	k.Wall = func() time.Time { return wall().Add(time.Duration(by.Load())) }
	return k
}

// A process whose clock is an hour ahead goes by the servers' in all that it writes,
// and is refused before it writes.
func TestAProcessWhoseClockIsAhead(t *testing.T) {
	good := shared(t)
	made(t, good)
	held, err := worker.Leased(good, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer held.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	var ahead atomic.Int64
	ahead.Store(int64(time.Hour))
	for range 4 { // it is restarted
		machine := jumping(&ahead)
		s := good.on(good.client)
		s.clock = storeclock.New(machine)
		_, err := worker.Leased(s, claim().OnClock(machine)).Assign(t.Context(), need)
		require.ErrorIs(t, err, worker.ErrClock)
		assertNow(t, s)

		w := write(view(t, s), true)
		w.Worker, w.Now = 3, machine.Wall()
		w.Expect[0] = view(t, s).Rows[3].Nonce
		w.High = view(t, s).TickAt(machine.Wall())
		applied, err := s.Write(t.Context(), w)
		require.NoError(t, err)
		assert.False(t, applied, "it reaches further than the servers' clock allows")
	}
	v := view(t, good)
	for _, row := range v.Rows {
		_, parked := v.Parked(row)
		assert.False(t, parked && row.High > v.Horizon()+1, "worker id %d", row.Worker)
	}
	assert.NoError(t, held.Err(), "nobody fenced it")
}

// assertNow asserts that a view shows the servers' clock, which is this machine's.
func assertNow(t *testing.T, s *Store) {
	t.Helper()
	before := time.Now()
	v := view(t, s)
	require.NoError(t, v.Clock)
	assert.WithinRange(t, v.Now, before.Add(-1100*time.Millisecond), time.Now().Add(1100*time.Millisecond))
}

// A clock that jumps while its process holds a worker id gets it no further.
func TestAHolderWhoseClockJumpsAhead(t *testing.T) {
	s := shared(t)
	n := made(t, s)
	var ahead atomic.Int64
	machine := jumping(&ahead)
	s.clock = storeclock.New(machine)
	l, err := worker.Leased(s, claim().OnClock(machine)).Assign(t.Context(), need)
	require.NoError(t, err)
	defer l.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	_, hi := l.Grant()
	ahead.Store(int64(time.Hour))
	for got := hi; got < hi+3*n.Window; { // three windows later
		changed := l.Changed()
		l.Want(n.TickAt(machine.Wall()))
		if _, now := l.Grant(); now > got {
			got = now
			assert.LessOrEqual(t, got, n.TickAt(time.Now().Add(1100*time.Millisecond))+n.Window)
			continue
		}
		<-changed
	}
}

// Where members speak gRPC alone, each process goes by its own clock, and says so.
func TestMembersThatDoNotTellTheTime(t *testing.T) {
	client := open(t, server.Get(t).Addr())
	timeless := func() *Store {
		return New(client, Options{Prefix: rand.Text(), Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no HTTP here")
		}})
	}
	s := timeless()
	made(t, s)
	require.ErrorContains(t, view(t, s).Clock, "no HTTP here")
	storetest.Run(t, func(*testing.T) store.Store { return timeless() }, storetest.WithoutClock())
}

func TestWhereMembersTellTheTime(t *testing.T) {
	plain := New(nil, Options{})
	secure := New(nil, Options{TLS: &tls.Config{}})
	assert.Equal(t, "http://etcd:2379/version", plain.versionURL("etcd:2379"))
	assert.Equal(t, "https://etcd:2379/version", plain.versionURL("https://etcd:2379/"))
	assert.Equal(t, "https://etcd:2379/version", secure.versionURL("etcd:2379"))
	assert.Equal(t, "http://etcd:2379/version", secure.versionURL("http://etcd:2379"))
}
