package soak

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/internal/testserver"
)

func assertSound(t *testing.T, r Report) {
	t.Helper()
	assert.Positive(t, r.IDs)
	assert.Zero(t, r.Duplicates)
	assert.Zero(t, r.OrderViolations)
}

func TestEachFaultIsDoneHoweverShortTheSoak(t *testing.T) {
	t.Parallel()
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db"), Last: 3}
	r, err := Run(t.Context(), config(t, s, time.Millisecond))
	require.NoError(t, err)
	assertSound(t, r)
	assert.EqualValues(t, 1, r.Kills)
	if child.CanPause {
		assert.EqualValues(t, 1, r.Pauses)
	}
}

// A process that is paused in the middle of a write keeps the file locked for its successor.
func TestPausedWithTheFileLocked(t *testing.T) {
	t.Parallel()
	c := config(t, spec{SQLite: filepath.Join(t.TempDir(), "w.db"), Locks: true, Last: 1},
		time.Millisecond)
	c.Processes = 1
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	assertSound(t, r)
}

// The store is killed in the middle of everything, and keeps what it acknowledged.
func TestNoIDComesTwiceWhenTheStoreIsKilled(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Durable())
	s := spec{Redis: server.Addr(), Last: 3}
	c := config(t, s, 8*time.Second)
	started := make(chan struct{})
	c.Started = func() { close(started) }
	var (
		r       Report
		err     error
		running sync.WaitGroup
	)
	running.Go(func() { r, err = Run(t.Context(), c) })
	<-started
	for range 3 {
		server.Kill()
		server.Start()
	}
	running.Wait()
	require.NoError(t, err)
	assertSound(t, r)
}

// Without the fence a takeover repeats what the last holder minted ahead. In a layout of one id
// for each 100 ms every process mints ahead, however slow the machine is.
func TestALeaseWithoutAFenceIsFound(t *testing.T) {
	t.Parallel()
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db"), Careless: true, Last: 3}
	c := config(t, s, time.Millisecond)
	c.Layout.Unit, c.Layout.TimeBits, c.Layout.SeqBits = 100*time.Millisecond, 42, 0
	_, err := Run(t.Context(), c)
	require.ErrorIs(t, err, idlog.ErrDuplicate)
}

func TestAProcessThatCannotGoOnEndsTheSoak(t *testing.T) {
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db"), Last: 1 << 20} // more than a claim may name
	_, err := Run(t.Context(), config(t, s, time.Hour))
	require.ErrorIs(t, err, ErrProcess)
	assert.ErrorContains(t, err, "a Count of 1 to 65536")
}

func TestACommandThatIsNotThere(t *testing.T) {
	c := config(t, spec{}, time.Hour)
	c.Command = func() *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "nothing")) }
	_, err := Run(t.Context(), c)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAProcessWithoutAJob(t *testing.T) {
	for _, stdin := range []string{"", "no JSON\n", `"half a line"`} {
		err := Process[spec](t.Context(), strings.NewReader(stdin), nil)
		assert.ErrorContains(t, err, "type ringuid soak")
	}
}
