//go:build unix

package integration

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// functionJob is the variable with the job of a function: its worker id and the database.
const functionJob = "UID_TEST_FUNCTION"

// TestFunctionProcess is the function, when another test starts this program again: a generator
// that takes ids when it is called, and says which.
func TestFunctionProcess(t *testing.T) {
	id, dsn, started := strings.Cut(os.Getenv(functionJob), " ")
	if !started {
		t.Skip("it is started by TestAFunctionThatIsFrozen")
	}
	number, err := strconv.ParseInt(id, 10, 64)
	require.NoError(t, err)
	// The lease expires within a second, in place of 90.
	claim := worker.Claim{First: number, Count: 1, TTL: time.Second,
		Logger: slog.New(slog.DiscardHandler)}
	assigner := worker.Leased(open(t, "pgx", dsn, nil).Store, claim)
	var g *uid.CachedGenerator
	leasetest.Until(t, "the worker id is free", func() error {
		g, err = uid.New(t.Context(), assigner, uid.Config{Logger: claim.Logger})
		return err
	})
	for calls := bufio.NewScanner(os.Stdin); calls.Scan(); {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		if calls.Text() == "restored" {
			g.AfterRestore()
		}
		for range 100 {
			id, err := g.GetUIDContext(ctx)
			require.NoError(t, err)
			fmt.Println(int64(id))
		}
		fmt.Println("answered")
		cancel()
	}
	require.NoError(t, g.Close())
}

// function is such a process.
type function struct {
	*child.Process
	calls io.WriteCloser
	says  *bufio.Scanner
	ids   []uid.ID
}

func startFunction(t *testing.T, e env, number int) *function {
	cmd := exec.Command(os.Args[0], "-test.run=^TestFunctionProcess$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", functionJob, number, e.dsn))
	calls, err := cmd.StdinPipe()
	require.NoError(t, err)
	says, err := cmd.StdoutPipe()
	require.NoError(t, err)
	p, err := child.Start(cmd)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return &function{Process: p, calls: calls, says: bufio.NewScanner(says)}
}

// call calls it once, and returns the first id that it took, and the last.
func (f *function) call(t *testing.T, how string) (first, last uid.ID) {
	t.Helper()
	_, err := fmt.Fprintln(f.calls, how)
	require.NoError(t, err)
	var ids []uid.ID
	for f.says.Scan() && f.says.Text() != "answered" {
		if n, err := strconv.ParseInt(f.says.Text(), 10, 64); err == nil {
			ids = append(ids, uid.ID(n))
		}
	}
	require.Len(t, ids, 100, "it never fails: each take waits for its id")
	f.ids = append(f.ids, ids...)
	return ids[0], ids[99]
}

// Functions are stopped between two calls until all that they were granted has passed, which is a
// minute and some seconds, or with -short until another process has taken the worker id of one.
// Both show what two minutes show, since a lease here expires within a second.
func TestAFunctionThatIsFrozen(t *testing.T) {
	t.Parallel()
	e := among(t, "PostgreSQL")
	kept, honest, lost := startFunction(t, e, 0), startFunction(t, e, 1), startFunction(t, e, 2)
	for _, f := range []*function{kept, honest, lost} {
		f.call(t, "")
		require.NoError(t, f.Pause())
	}
	layout := uid.SnowflakeLayout()
	need := layout.Need()
	v, err := e.View(t.Context(), store.Pool{Layout: need.Fingerprint, Unit: need.Unit}, 0, 2)
	require.NoError(t, err)
	require.Len(t, v.Rows, 3)
	// the last millisecond
	granted := func(id int) time.Time { return time.UnixMilli(v.Rows[id].High) }
	if !testing.Short() {
		time.Sleep(time.Until(granted(2))) // by this clock, and then by that of the server
		leasetest.Until(t, "the grants have passed", func() error {
			now, err := e.Now(t.Context())
			if err == nil && !(now.After(granted(0)) && now.After(granted(1)) && now.After(granted(2))) {
				err = fmt.Errorf("it is %v", now)
			}
			return err
		})
	}
	isAbove := func(id uid.ID, granted time.Time) {
		parts, err := layout.Parse(id)
		require.NoError(t, err)
		assert.Greater(t, parts.Time, granted)
	}
	other := startFunction(t, e, 2)
	first, _ := other.call(t, "")
	isAbove(first, granted(2))

	for _, f := range []*function{kept, honest, lost} {
		require.NoError(t, f.Resume())
	}
	kept.call(t, "") // perhaps what is left of the old grant
	first, _ = honest.call(t, "restored")
	isAbove(first, granted(1)) // it waited for a renewal
	_, last := other.call(t, "")
	require.NoError(t, other.calls.Close())
	<-other.Ended
	require.NoError(t, other.Err)
	for first = 0; first <= last; { // until lost has the worker id again
		first, _ = lost.call(t, "")
	}
	seen := map[uid.ID]bool{}
	for _, f := range []*function{kept, honest, lost, other} {
		last := uid.ID(-1)
		for _, id := range f.ids {
			assert.False(t, seen[id], "%d was made twice", id)
			assert.Greater(t, id, last)
			seen[id], last = true, id
		}
	}
}
