package testserver

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

// echo is a server that answers each line with itself, and tells what it heard.
func echo(t *testing.T) (addr string, heard <-chan string) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	lines := make(chan string, 100)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer c.Close()
				for in := bufio.NewReader(c); ; {
					line, err := in.ReadString('\n')
					if err != nil {
						return
					}
					lines <- line
					io.WriteString(c, line)
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		running.Wait()
	})
	return l.Addr().String(), lines
}

// client is one connection through the proxy.
type client struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, p *Proxy) *client {
	c, err := net.Dial("tcp", p.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return &client{t, c, bufio.NewReader(c)}
}

func (c *client) send(line string) {
	_, err := io.WriteString(c, line)
	require.NoError(c.t, err)
}

func (c *client) receive() (string, error) { return c.in.ReadString('\n') }

func TestProxyCutsTheAnswerAlone(t *testing.T) {
	addr, heard := echo(t)
	p := NewProxy(t, addr)
	p.CutReplyTo("two")
	c := dial(t, p)
	c.send("one\n")
	line, err := c.receive()
	require.NoError(t, err)
	assert.Equal(t, "one\n", line)

	c.send("two\n")
	_, err = c.receive()
	require.Error(t, err)
	assert.Equal(t, "one\n", <-heard)
	assert.Equal(t, "two\n", <-heard, "the request got through")
	assert.Equal(t, 1, p.Cuts())

	c = dial(t, p)
	c.send("two\n")
	line, err = c.receive()
	require.NoError(t, err, "it cuts once")
	assert.Equal(t, "two\n", line)
}

func TestProxyHangsAndDeliversLate(t *testing.T) {
	addr, heard := echo(t)
	p := NewProxy(t, addr)
	patient, hasty := dial(t, p), dial(t, p)
	for _, c := range []*client{patient, hasty} {
		c.send("hello\n")
		_, err := c.receive()
		require.NoError(t, err)
		<-heard
	}
	p.Hang()
	hasty.send("hasty\n")
	hasty.Close()
	patient.send("patient\n")
	require.NoError(t, patient.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	_, err := patient.receive()
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, patient.SetReadDeadline(time.Time{}))
	assert.Empty(t, heard)

	p.Pass()
	assert.ElementsMatch(t, []string{"hasty\n", "patient\n"}, []string{<-heard, <-heard})
	line, err := patient.receive()
	require.NoError(t, err)
	assert.Equal(t, "patient\n", line)
}

func TestProxyDrops(t *testing.T) {
	addr, _ := echo(t)
	p := NewProxy(t, addr)
	c := dial(t, p)
	p.Drop()
	_, err := c.receive()
	require.Error(t, err)

	c = dial(t, p)
	_, err = c.receive()
	require.Error(t, err, "a new connection")

	p.Pass()
	c = dial(t, p)
	c.send("back\n")
	line, err := c.receive()
	require.NoError(t, err)
	assert.Equal(t, "back\n", line)
}

// An address that moves to another server takes no connection along.
func TestProxyTurns(t *testing.T) {
	first, heardFirst := echo(t)
	second, heardSecond := echo(t)
	p := NewProxy(t, first)
	before := dial(t, p)
	_, err := before.Write([]byte("one\n"))
	require.NoError(t, err)
	assert.Equal(t, "one\n", <-heardFirst)

	p.Turn(second)
	for err == nil {
		_, err = before.in.ReadString('\n')
	}
	after := dial(t, p)
	_, err = after.Write([]byte("two\n"))
	require.NoError(t, err)
	assert.Equal(t, "two\n", <-heardSecond)
	assert.Empty(t, heardFirst)
}
