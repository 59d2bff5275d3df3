package soak

import (
	"bufio"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

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

func TestTheProxy(t *testing.T) {
	server, p := echo(t), newProxy(t)
	a := dial(t, p.Name(), server)
	got, err := a.say("hello\n")
	require.NoError(t, err)
	assert.Equal(t, "hello\n", got)

	p.Hang()
	require.NoError(t, a.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err = a.say("waits\n")
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, a.SetReadDeadline(time.Time{}))
	p.Pass()
	got, err = a.in.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "waits\n", got)

	p.Cut()
	_, err = a.in.ReadString('\n')
	require.Error(t, err, "an old connection")
	_, err = dial(t, p.Name(), server).say("hello\n")
	require.Error(t, err, "a new one")

	p.Pass()
	got, err = dial(t, p.Name(), server).say("back\n")
	require.NoError(t, err)
	assert.Equal(t, "back\n", got)
}

func TestTheProxyIsForItsOwn(t *testing.T) {
	server, p := echo(t), newProxy(t)
	at := p.listener.Addr().String()
	_, err := dial(t, at+" guess", server).say("hello\n")
	assert.Error(t, err)
	_, err = dial(t, p.Name(), "127.0.0.1:1").say("hello\n")
	assert.Error(t, err, "nobody there")
}

func TestNoProxy(t *testing.T) {
	got, err := dial(t, "", echo(t)).say("hello\n")
	require.NoError(t, err)
	assert.Equal(t, "hello\n", got)
}

func TestTheProxyClosesWhileItHangs(t *testing.T) {
	server := echo(t)
	p, err := NewProxy()
	require.NoError(t, err)
	c := dial(t, p.Name(), server)
	_, err = c.say("hello\n")
	require.NoError(t, err)
	p.Hang()
	_, err = io.WriteString(c, "stuck\n")
	require.NoError(t, err)
	require.NoError(t, p.Close())
}
