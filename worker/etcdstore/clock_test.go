package etcdstore

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestAProcessWhoseClockIsAhead(t *testing.T) {
	leasetest.TestProcessWhoseClockIsAhead(t, onMachine(t), time.Second)
}

func TestAHolderWhoseClockJumpsAhead(t *testing.T) {
	t.Parallel()
	leasetest.TestHolderWhoseClockJumpsAhead(t, onMachine(t), time.Second)
}

func onMachine(t *testing.T) leasetest.OnMachine {
	s := shared(t)
	return func(machine clock.Clock) store.Store {
		same := s.on(s.client)
		same.clock = storeclock.New(machine)
		return same
	}
}

// Who views while another asks for the time waits for the answer: this machine's clock might
// be wrong, and whoever goes by it may take over what is held.
func TestNobodyGoesByTheMachinesClockMeanwhile(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	asked, told := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	slow := New(s.client,
		Options{Prefix: s.prefix, Dial: func(context.Context, string, string) (net.Conn, error) {
			once()
			<-told
			return nil, errors.New("no HTTP here")
		}})
	var first sync.WaitGroup
	first.Go(func() { leasetest.View(t, slow) })
	<-asked
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := slow.View(short, "default", 0, 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(told)
	first.Wait()
	v, err := slow.View(t.Context(), "default", 0, 0)
	require.NoError(t, err)
	assert.ErrorContains(t, v.Clock, "no HTTP here")
}

// Where members speak gRPC alone, each process goes by its own clock, and says so.
func TestMembersThatDoNotTellTheTime(t *testing.T) {
	client := open(t, server.Get(t).Addr())
	timeless := func() *Store {
		return New(client, Options{Prefix: rand.Text(),
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("no HTTP here")
			}})
	}
	s := timeless()
	leasetest.Make(t, s)
	require.ErrorContains(t, leasetest.View(t, s).Clock, "no HTTP here")
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
