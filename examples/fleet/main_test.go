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

// join starts a process of the fleet. It answers, until it leaves.
func join(t *testing.T) (get func(path string) string, leave func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, writer)
		writer.CloseWithError(err)
		done <- err
	}()
	lines := bufio.NewScanner(reader)
	require.True(t, lines.Scan(), lines.Err())
	url := "http://" + strings.TrimPrefix(lines.Text(), "listening on ")
	get = func(path string) string {
		t.Helper()
		answer, err := http.Get(url + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode, string(body))
		return strings.TrimSpace(string(body))
	}
	return get, func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		require.NoError(t, <-done)
	}
}

// Three at once, the first of which creates the tables and waits; then one that comes
// when all have gone.
func TestMembersOfAFleetHaveWorkerIDsOfTheirOwn(t *testing.T) {
	t.Setenv("DATABASE_URL", testserver.Postgres(t, testserver.Durable()).DSN())
	t.Setenv("ADDR", "127.0.0.1:0")
	var leaving []func()
	workers, last := map[int64]bool{}, uid.ID(0)
	for range 3 {
		get, leave := join(t)
		leaving = append(leaving, leave)
		assert.Empty(t, get("/readyz"))
		assert.Contains(t, get("/metrics"), `generator="orders"`)
		id, err := uid.ParseID(get("/id"))
		require.NoError(t, err)
		p, err := uid.SnowflakeLayout().Parse(id)
		require.NoError(t, err)
		workers[p.Worker] = true
		last = max(last, id)
	}
	assert.Len(t, workers, 3)
	for _, leave := range leaving {
		leave()
	}
	get, leave := join(t)
	id, err := uid.ParseID(get("/id"))
	require.NoError(t, err)
	assert.NotEqual(t, last, id)
	leave()
}
