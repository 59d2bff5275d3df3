package serve

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	goleak.VerifyTestMain(m)
}

var quiet = slog.New(slog.DiscardHandler)

func generator(t testing.TB, c uid.Config) *uid.CachedGenerator {
	c.Logger, c.AllowRepeats = quiet, true
	gen, err := uid.New(t.Context(), worker.Static(7), c)
	require.NoError(t, err)
	t.Cleanup(func() { gen.Close() })
	return gen
}

// exhausted is a generator that has no more ids. Its clock stands still, but for tick, which moves
// it by a millisecond.
func exhausted(t testing.TB) (gen *uid.CachedGenerator, tick func()) {
	var ticks atomic.Int64
	gen = generator(t, uid.Config{MaxAhead: time.Millisecond, Now: func() time.Time {
		return uid.SnowflakeLayout().Epoch.Add(time.Hour + time.Duration(ticks.Load())*time.Millisecond)
	}})
	for gen.Ready() == nil {
		_, err := gen.GetUID()
		require.NoError(t, err)
	}
	return gen, func() { ticks.Add(1) }
}

type server struct {
	*Server
	socket, tcp, web string
	stop             func() error // waits until it has ended
}

// start starts a server on a unix socket and on loopback.
func start(t testing.TB, gen *uid.CachedGenerator, c Config) *server {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	c.RESP, c.HTTP = []string{"unix:" + socket, "127.0.0.1:0"}, []string{"127.0.0.1:0"}
	c.SocketMode, c.Logger = 0o600, cmp.Or(c.Logger, quiet)
	s, err := Listen(c)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, gen) }()
	server := &server{s, "unix:" + socket, s.resp[1].Addr().String(), s.http[0].Addr().String(),
		sync.OnceValue(func() error {
			stop()
			return <-ended
		})}
	t.Cleanup(func() { assert.NoError(t, server.stop()) })
	w := dial(t, server.socket)
	require.NotEmpty(t, w.ask("PING"))
	require.NoError(t, w.Close())
	return server
}

// A wire is a connection of a test.
type wire struct {
	net.Conn
	*bufio.Reader
	t testing.TB
}

func dial(t testing.TB, address string) *wire {
	t.Helper()
	network := "tcp"
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, address = "unix", path
	}
	conn, err := net.Dial(network, address)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return &wire{conn, bufio.NewReader(conn), t}
}

// ask sends lines, and returns the answer to one command.
func (w *wire) ask(lines string, args ...any) string {
	w.t.Helper()
	w.send(lines, args...)
	return w.answer()
}

func (w *wire) send(lines string, args ...any) {
	w.t.Helper()
	_, err := fmt.Fprintf(w.Conn, lines+"\r\n", args...)
	require.NoError(w.t, err)
}

// answer reads an answer, and writes its parts with blanks between them.
func (w *wire) answer() string {
	w.t.Helper()
	text, err := readAnswer(w.Reader)
	require.NoError(w.t, err)
	return text
}

func (w *wire) end() {
	w.t.Helper()
	text, err := io.ReadAll(w.Reader)
	assert.Empty(w.t, string(text))
	assert.NoError(w.t, err)
}

// readAnswer refuses what is no answer of RESP.
func readAnswer(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line, n := strings.TrimSuffix(line, "\r\n"), 0
	switch line[0] {
	case '+', '-', ':', '_':
		return line, nil
	case '$':
		if _, err := fmt.Sscanf(line, "$%d", &n); err != nil {
			return "", err
		}
		text := make([]byte, n+2)
		_, err := io.ReadFull(r, text)
		if err == nil && string(text[n:]) != "\r\n" {
			err = fmt.Errorf("a text ends with %q", text[n:])
		}
		return string(text[:n]), err
	case '*', '%':
		if line == "*-1" {
			return "nil", nil
		}
		if _, err := fmt.Sscanf(line[1:], "%d", &n); err != nil {
			return "", err
		}
		if line[0] == '%' {
			n *= 2
		}
		parts := make([]string, n)
		for i := range parts {
			if parts[i], err = readAnswer(r); err != nil {
				return "", err
			}
		}
		return strings.Join(parts, " "), nil
	}
	return "", fmt.Errorf("%q is no answer", line)
}
