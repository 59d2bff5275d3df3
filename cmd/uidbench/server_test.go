package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
)

// answering starts a server that answers this to whoever connects, and returns its address.
func answering(t *testing.T, text string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		open := make(chan net.Conn, 100) // or the collector closes them
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			_, _ = conn.Write([]byte(text))
			open <- conn
		}
	}()
	return l.Addr().String()
}

// A server that never answers does not keep a run from its end.
func TestAServerThatIsStopped(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for _, scheme := range []string{"redis://", "http://"} {
		all.Go(func() {
			text, err := exec.Command("uidbench", "-q", "--server", scheme+answering(t, "")).CombinedOutput()
			assert.Error(t, err)
			assert.Regexp(t, "i/o timeout|Client.Timeout", string(text))
		})
	}
	all.Wait()
}

// A connection is used again after a long answer over HTTP, and closed after one of Redis' protocol
// that is an error.
func TestConnectionsOfTakes(t *testing.T) {
	var opened atomic.Int32
	many := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "[%s1]\n", strings.Repeat("1,", 9999)) // in several chunks
	}))
	many.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	many.Start()
	defer many.Close()
	address, err := url.Parse(many.URL)
	require.NoError(t, err)
	take := overHTTP(t.Context(), address, "")
	for range 20 {
		ids, err := take(nil, 10_000)
		require.NoError(t, err)
		assert.Len(t, ids, 10_000)
	}
	assert.EqualValues(t, 1, opened.Load())

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	take = overRESP(t.Context(), "tcp", l.Addr().String(), "")
	go func() { _, _ = take(nil, 1) }()
	conn, err := l.Accept()
	require.NoError(t, err)
	_, err = conn.Write([]byte("-NOID\r\n"))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, conn)
	assert.NoError(t, err, "it was closed")
}

// Uidbench measures a real server, which has a password.
func TestCommandsWithAServer(t *testing.T) {
	dir := t.TempDir() + "/"
	build, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir,
		"github.com/ringuid/ringuid/cmd/ringuid").
		CombinedOutput()
	require.NoError(t, err, string(build))
	t.Chdir(dir)
	for name, text := range map[string]string{"password": "secret\n", "db": ""} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	cmd := exec.Command("./ringuid", "serve", "--store", "sqlite:db", "--resp", "127.0.0.1:0",
		"--http", "127.0.0.1:0", "--client-password-file", "password")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	server, err := child.Start(cmd)
	require.NoError(t, err)
	defer server.Kill()
	var addresses []string
	for lines := bufio.NewScanner(out); len(addresses) < 2 && lines.Scan(); {
		addresses = append(addresses, lines.Text()[len("RESP on "):])
	}
	require.Len(t, addresses, 2)
	nobody := answering(t, "*-1\r\n") // as Redis does that has no list of ids
	for scheme, address := range map[string]string{"redis": addresses[0], "http": addresses[1]} {
		for _, c := range []struct{ url, flag, want string }{
			{scheme + "://:secret@" + address, "--batch=100", `"duplicates": 0`},
			{scheme + "://:secret@" + address, "--rate=2000", `"order_violations": 0`},
			{scheme + "://:wrong@" + address, "-q", "the server answered (-WRONGPASS|401)"},
			{scheme + "://" + address, "-q", "the server answered (-NOAUTH|401)"},
			{"redis://" + addresses[1], "-q", "answered HTTP/1.* http:// or https:// where it prints HTTP"},
			{"http://" + addresses[0], "-q", "malformed HTTP .*type redis://.* where .* prints RESP"},
			{"redis://" + nobody, "-q", `the server answered \*-1; type `},
		} {
			text, err := exec.Command("uidbench", "-q", "--goroutines=8", "--count=6000", "--verify",
				"--format=json", "--server", c.url, c.flag).CombinedOutput()
			assert.Regexp(t, c.want, string(text))
			assert.Equal(t, strings.HasPrefix(c.want, `"`), err == nil, "%s %s", c.flag, text)
			assert.NotContains(t, string(text), "wrong@")
		}
	}
}
