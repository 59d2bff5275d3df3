package assistants

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

func init() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

func serves(ctx context.Context, path string, serve func(*uid.CachedGenerator) error) error {
	// excerpt: One generator in a process
}

func inserts(ctx context.Context, db *sql.DB, gen *uid.CachedGenerator, item string) error {
	// excerpt: The id before the INSERT
}

func TestRight(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE orders (id BIGINT PRIMARY KEY, item TEXT)")
	require.NoError(t, err)
	mux := http.NewServeMux()
	ready := func() bool {
		return assert.HTTPStatusCode(new(testing.T), mux.ServeHTTP, "GET", "/readyz", nil, http.StatusOK)
	}
	serve := func(gen *uid.CachedGenerator) error {
		// excerpt: Readiness
		assert.True(t, ready())
		return errors.Join(inserts(t.Context(), db, gen, "apple"), inserts(t.Context(), db, gen, "pear"))
	}
	require.NoError(t, serves(t.Context(), filepath.Join(t.TempDir(), "worker.db"), serve))
	assert.False(t, ready())
	var rows int
	require.NoError(t, db.QueryRow("SELECT count(id) FROM orders").Scan(&rows))
	assert.Equal(t, 2, rows)
}

// sameIDs starts processes until two have one worker id. After their first minute they make one id.
func sameIDs(t *testing.T, start func() ([]*uid.CachedGenerator, error)) {
	var processes []*uid.CachedGenerator
	for workers := map[int64]bool{}; len(workers) == len(processes); {
		started, err := start()
		require.NoError(t, err)
		for _, gen := range started {
			processes, workers[gen.Stats().WorkerID] = append(processes, gen), true
		}
	}
	time.Sleep(2 * time.Minute)
	ids := map[uid.ID]bool{}
	for _, gen := range processes {
		id, err := gen.GetUID()
		require.NoError(t, err)
		ids[id] = true
		defer gen.Close()
	}
	assert.Less(t, len(ids), len(processes))
}

// In a bubble all happens at once, and minutes take no time.
func TestWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)))
		ctx := t.Context()
		sameIDs(t, func() ([]*uid.CachedGenerator, error) {
			// excerpt: A Static number in a Deployment
			return []*uid.CachedGenerator{gen}, err
		})
		sameIDs(t, func() ([]*uid.CachedGenerator, error) {
			// excerpt: memstore in production
			assert.Equal(t, worker.Fenced, gen.Stats().Class)
			return []*uid.CachedGenerator{gen}, err
		})
		postgres, redis := memstore.New(), memstore.New()
		sameIDs(t, func() ([]*uid.CachedGenerator, error) {
			// excerpt: Two stores for one table
			return []*uid.CachedGenerator{service, job}, errors.Join(err, err2)
		})
		store := memstore.New()
		old, err := uid.New(ctx, worker.Leased(store, worker.Claim{}), uid.Config{})
		require.NoError(t, err)
		defer old.Close()
		{
			// excerpt: A layout changed
			_ = gen
			assert.ErrorIs(t, err, worker.ErrOtherLayout)
		}
		mux, arrived, slow := http.NewServeMux(), make(chan error), make(chan bool)
		create := func(http.ResponseWriter, *http.Request, any) { arrived <- nil; <-slow }
		fail := func(_ http.ResponseWriter, err error) { arrived <- err }
		// excerpt: A generator per request
		request := func() error {
			go mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/orders", nil))
			return <-arrived
		}
		for range 1023 { // old has one
			require.NoError(t, request())
		}
		assert.ErrorIs(t, request(), worker.ErrAllHeld)
		close(slow)
	})
}

func TestNumbers(t *testing.T) {
	// excerpt: A unit test
	ids, err := gen.AppendUIDs(nil, 100)
	require.NoError(t, err)
	command, seen := []string{"-p", "new Set(process.argv.slice(1).map(b => JSON.parse(b).id)).size"},
		map[any]bool{}
	for _, id := range ids {
		// excerpt: JSON numbers
		require.NoError(t, err)
		var parsed map[string]any // numbers are float64, as all are in JavaScript
		require.NoError(t, json.Unmarshal(body, &parsed))
		seen[parsed["id"]] = true
		command = append(command, string(body))
	}
	assert.Less(t, len(seen), len(ids))
	if _, err := exec.LookPath("node"); err == nil {
		out, err := exec.Command("node", command...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, fmt.Sprintln(len(seen)), string(out))
	}
}
