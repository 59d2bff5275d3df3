package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/internal/testserver"
)

func TestNoIDComesTwice(t *testing.T) {
	t.Parallel()
	faults := []Fault{Kill, Clock}
	if subprocess.CanPause {
		faults = append(faults, Pause)
	}
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db")}
	s.init(t, 3)
	r, err := Run(t.Context(), config(t, s, 8*time.Second, faults...))
	require.NoError(t, err)
	assertSound(t, r)
	assert.Positive(t, r.Kills)
	assert.Positive(t, r.Takeovers)
}

func assertSound(t *testing.T, r Report) {
	t.Helper()
	assert.Positive(t, r.IDs)
	assert.Zero(t, r.Duplicates)
	assert.Zero(t, r.OrderViolations)
	assert.GreaterOrEqual(t, r.Acquired, r.Takeovers)
}

func TestEachFaultIsDoneHoweverShortTheSoak(t *testing.T) {
	t.Parallel()
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db")}
	s.init(t, 3)
	r, err := Run(t.Context(), config(t, s, time.Millisecond, Kill, Clock))
	require.NoError(t, err)
	assertSound(t, r)
	assert.EqualValues(t, 1, r.Kills)
	assert.EqualValues(t, 1, r.ClocksBack)
}

// The store is killed in the middle of everything, and keeps what it acknowledged.
func TestNoIDComesTwiceWhenTheStoreIsKilled(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (*testserver.Server, spec){
		"Redis": func(t *testing.T) (*testserver.Server, spec) {
			s := testserver.Redis(t, testserver.Durable())
			return s, spec{Redis: s.Addr()}
		},
		"PostgreSQL": func(t *testing.T) (*testserver.Server, spec) {
			s := testserver.Postgres(t, testserver.Durable())
			return s, spec{Postgres: s.DSN()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, s := start(t)
			s.init(t, 3)
			c := config(t, s, 10*time.Second, Store, Kill)
			c.TakeStore = killing(server)
			r, err := Run(t.Context(), c)
			require.NoError(t, err)
			assertSound(t, r)
			assert.Positive(t, r.Outages)
		})
	}
}

// A soak that finds nothing has to be able to find something.
func TestProcessesWithOneWorkerIDAreFound(t *testing.T) {
	id := int64(7)
	r, err := Run(t.Context(), config(t, spec{Static: &id}, 300*time.Millisecond))
	require.ErrorIs(t, err, ErrDuplicate)
	assert.Positive(t, r.Duplicates)
	require.NotEmpty(t, r.FirstDuplicates)
	places := r.FirstDuplicates[0].Places
	assert.NotEqual(t, places[0].File, places[1].File)
	assert.Zero(t, r.OrderViolations)
	var text bytes.Buffer
	require.NoError(t, WriteText(&text, r))
	assert.Contains(t, text.String(), "DUPLICATES; ")
}

// Without the fence a takeover repeats what the last holder minted ahead.
func TestALeaseWithoutAFenceIsFound(t *testing.T) {
	t.Parallel()
	// The window is so long that a takeover on a busy machine falls into it.
	// Whether two of its ids meet is chance all the same, so it gets more than one soak.
	for range 5 {
		s := spec{SQLite: filepath.Join(t.TempDir(), "w.db"), Careless: true, Window: 10 * time.Second}
		s.init(t, 3)
		r, err := Run(t.Context(), config(t, s, 4*time.Second, Kill))
		assert.Positive(t, r.Kills)
		if err != nil {
			require.ErrorIs(t, err, ErrDuplicate)
			assert.Positive(t, r.Takeovers)
			return
		}
	}
	t.Fatal("no soak found that there is no fence")
}

func TestAnInterruptedSoakReports(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db")}
	s.init(t, 3)
	c := config(t, s, time.Hour)
	c.Progress = func(p bench.Progress) {
		if p.IDs > 0 {
			cancel()
		}
	}
	r, err := Run(ctx, c)
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, r.Interrupted)
	assertSound(t, r)
}

func TestAProcessThatCannotGoOnEndsTheSoak(t *testing.T) {
	s := spec{SQLite: filepath.Join(t.TempDir(), "w.db")} // and no namespace in it
	_, err := Run(t.Context(), config(t, s, time.Hour))
	require.ErrorIs(t, err, ErrProcess)
	assert.ErrorContains(t, err, "no such namespace")
}

func TestACommandThatIsNotThere(t *testing.T) {
	c := config(t, spec{}, time.Hour)
	c.Command = func() *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "nothing")) }
	_, err := Run(t.Context(), c)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestInvalidSettingsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"no processes":  func(c *Config) { c.Processes = 0 },
		"no time":       func(c *Config) { c.Duration = 0 },
		"short leases":  func(c *Config) { c.TTL = time.Millisecond },
		"no store":      func(c *Config) { c.Faults = []Fault{Store} },
		"no Spec at it": func(c *Config) { c.Spec = make(chan int) },
	} {
		t.Run(name, func(t *testing.T) {
			c := config(t, spec{}, time.Hour)
			spoil(&c)
			_, err := Run(t.Context(), c)
			assert.ErrorIs(t, err, ErrConfig)
		})
	}
}

func TestFaultsAreParsed(t *testing.T) {
	for list, want := range map[string][]Fault{
		"":                  nil,
		"none":              nil,
		"kill":              {Kill},
		"kill, pause,store": {Kill, Pause, Store},
		"clock,clock":       {Clock},
	} {
		got, err := ParseFaults(list)
		require.NoError(t, err, list)
		assert.Equal(t, want, got, list)
	}
	_, err := ParseFaults("kill,fire")
	assert.ErrorIs(t, err, ErrConfig)
}

// asSupervisor in the environment has the test binary run a soak for ever.
const asSupervisor = "SOAK_TEST_SUPERVISOR"

// The processes hold a pipe open as long as one of them lives.
func TestNoProcessOutlivesItsSupervisor(t *testing.T) {
	if os.Getenv(asSupervisor) != "" {
		superviseForEver(t)
		return
	}
	lives, held, err := os.Pipe()
	require.NoError(t, err)
	defer lives.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoProcessOutlivesItsSupervisor$", "-test.v")
	dir := t.TempDir()
	// What it leaves when it is killed is removed with the folder.
	cmd.Env = append(os.Environ(), asSupervisor+"="+dir, "TMPDIR="+dir)
	cmd.ExtraFiles = []*os.File{held}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, held.Close())
	for got := ""; got != "running"; {
		_, err := fmt.Fscanln(out, &got)
		require.NotErrorIs(t, err, os.ErrClosed)
		require.NotEqual(t, "EOF", fmt.Sprint(err))
	}
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.NoError(t, lives.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = lives.Read(make([]byte, 1))
	assert.EqualError(t, err, "EOF")
}

func superviseForEver(t *testing.T) {
	id := int64(7)
	c := config(t, spec{Static: &id}, time.Hour)
	c.Dir = os.Getenv(asSupervisor)
	c.Command = func() *exec.Cmd {
		cmd := self()
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "held")}
		return cmd
	}
	c.Progress = func(bench.Progress) { fmt.Println("running") }
	_, err := Run(context.Background(), c)
	require.NoError(t, err)
}

func TestTheKeysOfTheReport(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, human.WriteJSON(&out, Report{}))
	var keys map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &keys))
	for _, key := range []string{"ids", "takeovers", "duplicates", "order_violations"} {
		assert.Contains(t, keys, key)
	}
}
