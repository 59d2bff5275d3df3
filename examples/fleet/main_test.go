package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// member is a process of the fleet.
type member struct {
	t    *testing.T
	url  string
	stop context.CancelFunc
	done chan error
}

func join(t *testing.T) member {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	m := member{t: t, stop: stop, done: make(chan error, 1)}
	go func() {
		err := run(ctx, writer)
		writer.CloseWithError(err)
		m.done <- err
	}()
	lines := bufio.NewScanner(reader)
	require.True(t, lines.Scan(), lines.Err())
	m.url = "http://" + strings.TrimPrefix(lines.Text(), "listening on ")
	return m
}

func (m member) get(path string) string {
	m.t.Helper()
	answer, err := http.Get(m.url + path)
	require.NoError(m.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(m.t, err)
	require.Equal(m.t, http.StatusOK, answer.StatusCode, string(body))
	return strings.TrimSpace(string(body))
}

func (m member) leave() {
	m.t.Helper()
	http.DefaultClient.CloseIdleConnections()
	m.stop()
	require.NoError(m.t, <-m.done)
}

// Three at once, the first of which creates the tables and waits; then one that comes
// when all have gone.
func TestMembersOfAFleetHaveWorkerIDsOfTheirOwn(t *testing.T) {
	t.Setenv("DATABASE_URL", testserver.Postgres(t, testserver.Durable()).DSN())
	t.Setenv("ADDR", "127.0.0.1:0")
	var fleet []member
	workers, last := map[int64]bool{}, uid.ID(0)
	for range 3 {
		m := join(t)
		fleet = append(fleet, m)
		assert.Empty(t, m.get("/readyz"))
		assert.Contains(t, m.get("/metrics"), `generator="orders"`)
		id, err := uid.ParseID(m.get("/id"))
		require.NoError(t, err)
		p, err := uid.SnowflakeLayout().Parse(id)
		require.NoError(t, err)
		workers[p.Worker] = true
		last = max(last, id)
	}
	assert.Len(t, workers, 3)
	for _, m := range fleet {
		m.leave()
	}
	m := join(t)
	id, err := uid.ParseID(m.get("/id"))
	require.NoError(t, err)
	assert.NotEqual(t, last, id)
	m.leave()
}
