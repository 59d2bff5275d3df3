package examples

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

// join starts a process of the fleet. It answers, until it leaves.
func join(t *testing.T, program string) (get func(path string) string, leave func()) {
	t.Helper()
	process := exec.CommandContext(t.Context(), program)
	process.Stderr = t.Output()
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url := "http://" + strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
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
		require.NoError(t, process.Process.Signal(os.Interrupt))
		require.NoError(t, process.Wait())
	}
}

// Three at once, the first of which creates the tables and waits; then one that comes
// when all have gone.
func TestMembersOfAFleetHaveWorkerIDsOfTheirOwn(t *testing.T) {
	t.Setenv("DATABASE_URL", testserver.Postgres(t, testserver.Durable()).DSN())
	t.Setenv("ADDR", "127.0.0.1:0")
	program := filepath.Join(t.TempDir(), "fleet")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./fleet")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	var leaving []func()
	workers, last := map[int64]bool{}, uid.ID(0)
	for range 3 {
		get, leave := join(t, program)
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
	get, leave := join(t, program)
	id, err := uid.ParseID(get("/id"))
	require.NoError(t, err)
	assert.NotEqual(t, last, id)
	leave()
}
