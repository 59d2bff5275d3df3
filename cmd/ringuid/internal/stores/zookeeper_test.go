package stores

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
)

// A server that is only busy, or has just started, is waited for.
func TestABusyZooKeeper(t *testing.T) {
	askZooKeeper(t, busy)
}

// A server that takes connections and says nothing is left for the next one.
func TestAZooKeeperThatHangs(t *testing.T) {
	askZooKeeper(t, hanging, busy)
}

// askZooKeeper asks a store a question. Its connections lead to these servers in turn.
func askZooKeeper(t *testing.T, servers ...func(net.Conn)) {
	synctest.Test(t, func(t *testing.T) {
		var s storeurl.Store
		var all sync.WaitGroup
		defer all.Wait()
		require.NoError(t, openZooKeeperBy(func(string, string, time.Duration) (net.Conn, error) {
			if len(servers) == 0 {
				return nil, io.EOF
			}
			client, server := net.Pipe()
			serve := servers[0]
			servers = servers[1:]
			all.Go(func() { serve(server) })
			return client, nil
		}, &storeurl.Location{URL: &url.URL{Host: "127.0.0.1,127.0.0.2"}}, &s))
		ctx, cancel := context.WithTimeout(t.Context(), 2*storeurl.DialTimeout)
		defer cancel()
		_, err := s.Leases.Check(ctx)
		assert.NoError(t, err)
		assert.NoError(t, s.Close())
	})
}

// hanging is a server that never answers.
func hanging(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// busy is a server that answers the first question late, and has no nodes.
func busy(c net.Conn) {
	defer c.Close()
	if _, err := received(c); err != nil {
		return
	}
	// The protocol's version, the session's timeout and number, its password.
	err := send(c, int32(0), int32(zkSession/time.Millisecond), int64(7), int32(16), [16]byte{})
	for delay := storeurl.DialTimeout - time.Second; err == nil; delay = 0 {
		var question []byte
		if question, err = received(c); err == nil {
			time.Sleep(delay)
			const noNode = -101
			err = send(c, question[:4], int64(1), int32(noNode)) // to the question of that number
		}
	}
}

// received is what a client has sent, behind its length.
func received(c net.Conn) ([]byte, error) {
	var n uint32
	if err := binary.Read(c, binary.BigEndian, &n); err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err := io.ReadFull(c, body)
	return body, err
}

func send(c net.Conn, parts ...any) (err error) {
	body := make([]byte, 4)
	for _, part := range parts {
		if body, err = binary.Append(body, binary.BigEndian, part); err != nil {
			return err
		}
	}
	binary.BigEndian.PutUint32(body, uint32(len(body)-4))
	_, err = c.Write(body)
	return err
}
