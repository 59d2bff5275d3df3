package etcdstore

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"net"
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

// Where members speak gRPC alone, each process goes by its own clock, and says so.
func TestMembersThatDoNotTellTheTime(t *testing.T) {
	client := open(t, server.Get(t).Addr())
	timeless := func() *Store {
		return New(client, Options{Prefix: rand.Text(), Dial: func(context.Context, string, string) (net.Conn, error) {
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
