package soak

import (
	"bufio"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echo is a server that sends back what it gets.
func echo(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer c.Close()
				io.Copy(c, c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		running.Wait()
	})
	return l.Addr().String()
}

type line struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, proxy, address string) line {
	c, err := DialThrough(t.Context(), proxy, "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return line{c, bufio.NewReader(c)}
}

func (l line) say(text string) (string, error) {
	if _, err := io.WriteString(l, text); err != nil {
		return "", err
	}
	return l.in.ReadString('\n')
}

func newProxy(t *testing.T) *Proxy {
	p, err := NewProxy()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, p.Close()) })
	return p
}

func TestTheProxyLeadsToWhereItIsTold(t *testing.T) {
	p := newProxy(t)
	for range 2 {
		got, err := dial(t, p.Name(), echo(t)).say("hello\n")
		require.NoError(t, err)
		assert.Equal(t, "hello\n", got)
	}
}

func TestTheProxyIsForItsOwn(t *testing.T) {
	server, p := echo(t), newProxy(t)
	at := p.Addr()
	_, err := dial(t, at+" guess", server).say("hello\n")
	assert.Error(t, err)
	_, err = dial(t, p.Name(), "127.0.0.1:1").say("hello\n")
	assert.Error(t, err, "nobody there")
}

// One that says nothing holds nobody up.
func TestTheProxyEndsWithAClientThatIsSilent(t *testing.T) {
	p, err := NewProxy()
	require.NoError(t, err)
	c, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	defer c.Close()
	got, err := dial(t, p.Name(), echo(t)).say("hello\n")
	require.NoError(t, err)
	assert.Equal(t, "hello\n", got)
	require.NoError(t, p.Close())
}
