package tcpproxy

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An address that moves to another server takes no connection along.
func TestProxyTurns(t *testing.T) {
	first, heardFirst := echo(t)
	second, heardSecond := echo(t)
	var target atomic.Value
	target.Store(first)
	p, err := New(func(net.Conn) (net.Conn, error) { return net.Dial("tcp", target.Load().(string)) })
	require.NoError(t, err)
	defer p.Close()
	before := dial(t, p)
	_, err = before.Write([]byte("one\n"))
	require.NoError(t, err)
	assert.Equal(t, "one\n", <-heardFirst)

	target.Store(second)
	p.Turn()
	for err == nil {
		_, err = before.in.ReadString('\n')
	}
	after := dial(t, p)
	_, err = after.Write([]byte("two\n"))
	require.NoError(t, err)
	assert.Equal(t, "two\n", <-heardSecond)
	assert.Empty(t, heardFirst)
}

// A network that is gone does not tell that the other side has closed.
func TestProxyThatHangsKeepsAnEndToItself(t *testing.T) {
	addr, heard := echo(t)
	p := newProxy(t, addr)
	c := dial(t, p)
	_, err := c.Write([]byte("one\n"))
	require.NoError(t, err)
	<-heard
	p.Hang()
	c.Close()
	assert.Never(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.links) == 0
	}, 50*time.Millisecond, 5*time.Millisecond)
	p.Pass()
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.links) == 0
	}, time.Minute, 5*time.Millisecond)
}
