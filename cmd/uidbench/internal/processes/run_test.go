package processes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	if kind := os.Getenv(childKind); kind != "" {
		os.Exit(beChild(kind))
	}
	goleak.VerifyTestMain(m)
}

// fake is a generator that counts up, and where its fault says so goes wrong.
type fake struct {
	uid.Generator
	next   atomic.Int64
	fault  func(ctx context.Context, n int64) (uid.ID, error) // nil: id n
	layout uid.Layout                                         // zero: the default
	worker int64
}

func (f *fake) GetUIDContext(ctx context.Context) (uid.ID, error) {
	n := f.next.Add(1)
	if f.fault != nil {
		return f.fault(ctx, n)
	}
	return uid.ID(n), nil
}

func (f *fake) Layout() uid.Layout {
	if f.layout.Unit != 0 {
		return f.layout
	}
	return uid.DefaultLayout
}

func (f *fake) Stats() uid.Stats {
	return uid.Stats{WorkerID: f.worker, Class: worker.NeverReused, RingSize: 64}
}

func (f *fake) Close() error { return nil }

// Environment of the processes that these tests start: this program again.
const (
	childKind   = "BENCH_TEST_CHILD"
	childNumber = "BENCH_TEST_CHILD_NUMBER"
	childFile   = "BENCH_TEST_CHILD_FILE" // by which one tells another of its ids
)

// beChild is such a process.
func beChild(kind string) int {
	number, err := strconv.ParseInt(os.Getenv(childNumber), 10, 64)
	if err != nil {
		return 2
	}
	g := &fake{worker: 10 - number}
	g.next.Store(number << 40)
	switch {
	case kind == "alike":
		g.next.Store(0)
	case kind == "stillborn" && number == 1:
		return 1
	case kind == "babbling" && number == 1:
		fmt.Println("hello there")
	case kind == "widowed" && number == 1: // dies when the other has ids
		g.fault = func(context.Context, int64) (uid.ID, error) {
			for {
				if _, err := os.Stat(os.Getenv(childFile)); err == nil {
					os.Exit(1)
				}
				runtime.Gosched()
			}
		}
	case kind == "widowed":
		g.fault = func(_ context.Context, n int64) (uid.ID, error) {
			if n == number<<40+100_000 {
				return uid.ID(n), os.WriteFile(os.Getenv(childFile), nil, 0o600)
			}
			return uid.ID(n), nil
		}
	case kind == "failing" && number == 1:
		g.fault = func(context.Context, int64) (uid.ID, error) { return 0, uid.ErrTimeOver }
	case kind == "foreign" && number == 1:
		g.layout = uid.Layout{Epoch: uid.DefaultLayout.Epoch, Unit: time.Second, TimeBits: 30, WorkerBits: 20, SeqBits: 13}
	case kind == "sparse":
		g.fault = func(_ context.Context, n int64) (uid.ID, error) { return uid.ID(n << 9), nil }
	case kind == "stuttering" && number == 1:
		g.fault = func(_ context.Context, n int64) (uid.ID, error) { return uid.ID(max(n, number<<40+5)), nil }
	case kind == "disorderly":
		g.fault = func(_ context.Context, n int64) (uid.ID, error) { return uid.ID(n ^ 1), nil }
	}
	open := func(context.Context, json.RawMessage) (uid.Generator, func() error, error) {
		return g, func() error { return nil }, nil
	}
	if err := Process(context.Background(), os.Stdin, os.Stdout, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// children starts processes of a kind.
func children(kind string) func() *exec.Cmd {
	number := 0
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childKind+"="+kind, fmt.Sprintf("%s=%d", childNumber, number), "GORACE=atexit_sleep_ms=0")
		number++
		return cmd
	}
}

func TestProcessesTakeIdsAsOne(t *testing.T) {
	var last bench.Progress
	r, err := Run(t.Context(), Config{
		Number: 3, Command: children("honest"),
		Load: bench.Config{
			Count: 1_000_000, Goroutines: 2, Verify: true, Detail: true,
			Progress: func(p bench.Progress) { last = p }, ProgressInterval: time.Millisecond,
		},
	})
	require.NoError(t, err)
	assert.EqualValues(t, 1_000_000, r.IDs)
	assert.Equal(t, 6, r.Goroutines)
	assert.Zero(t, *r.Duplicates)
	assert.Zero(t, *r.OrderViolations)
	assert.InEpsilon(t, r.Seconds*1e9/float64(r.IDs), r.NSPerID, 1e-9)
	assert.InEpsilon(t, r.NSPerID/r.AtomicAddNS, r.Ratio, 1e-9)
	assert.Positive(t, r.LatencySamples)
	assert.NotEmpty(t, r.Percentiles)
	assert.LessOrEqual(t, last.IDs, r.IDs)

	require.Len(t, r.Processes, 3)
	var ids int64
	for i, p := range r.Processes {
		assert.EqualValues(t, 8+i, p.WorkerID, "by their worker ids")
		assert.InDelta(t, 333_333, p.IDs, 1)
		assert.LessOrEqual(t, p.Seconds, r.Seconds)
		assert.LessOrEqual(t, p.Latency.Max, r.Latency.Max)
		ids += p.IDs
	}
	assert.Equal(t, r.IDs, ids)
}

func TestAnIdOfTwoProcessesIsADuplicate(t *testing.T) {
	r, err := Run(t.Context(), Config{
		Number: 3, Command: children("alike"), Load: bench.Config{Count: 30_000, Goroutines: 1, Verify: true},
	})
	require.ErrorIs(t, err, bench.ErrDuplicate)
	assert.EqualValues(t, 20_000, *r.Duplicates)
	assert.Len(t, r.FirstDuplicates, 3)
	assert.Zero(t, *r.OrderViolations)
}

func TestAnIdThatOneProcessHadTwiceIsADuplicate(t *testing.T) {
	r, err := Run(t.Context(), Config{
		Number: 2, Command: children("stuttering"), Load: bench.Config{Count: 20_000, Goroutines: 1, Verify: true},
	})
	require.ErrorIs(t, err, bench.ErrDuplicate)
	assert.EqualValues(t, 4, *r.Duplicates)
	assert.Equal(t, uid.ID(1<<40+5), r.FirstDuplicates[0])
}

func TestSharesAddUpToWhatIsMeantForAll(t *testing.T) {
	p := Config{Number: 3, Load: bench.Config{Count: 11, Rate: 600, Goroutines: 4, VerifyMemory: 6000}}
	var count int64
	for i := range 3 {
		share := p.share(i)
		assert.InDelta(t, 200, share.Rate, 0)
		assert.EqualValues(t, 1000, share.VerifyMemory, "and half of it for the ids of all")
		assert.Equal(t, []int{i, 3}, []int{share.Process, share.Processes}, "or Poisson calls would be due in all of them at once")
		count += share.Count
	}
	assert.EqualValues(t, 11, count)
}

func TestWhatIsWrongInOneProcessIsWrongInAll(t *testing.T) {
	t.Run("order", func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			Number: 2, Command: children("disorderly"), Load: bench.Config{Count: 2000, Goroutines: 1, Verify: true},
		})
		require.ErrorIs(t, err, bench.ErrOrder)
		assert.NotErrorIs(t, err, bench.ErrDuplicate)
		assert.InDelta(t, 1000, *r.OrderViolations, 5)
	})
	t.Run("takes", func(t *testing.T) {
		r, err := Run(t.Context(), Config{Number: 2, Command: children("failing"), Load: bench.Config{Count: 2000}})
		require.ErrorIs(t, err, ErrProcess)
		require.ErrorContains(t, err, "process 2: ")
		require.ErrorIs(t, err, uid.ErrTimeOver)
		require.ErrorIs(t, err, bench.ErrTakes)
		require.NotErrorIs(t, err, bench.ErrMemory)
		assert.EqualValues(t, 1000, r.IDs)
		assert.Positive(t, r.Errors)
	})
	t.Run("memory", func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			Number: 2, Command: children("sparse"), Load: bench.Config{Count: 20_000, Verify: true, VerifyMemory: 500_000},
		})
		require.ErrorIs(t, err, ErrProcess)
		require.ErrorIs(t, err, bench.ErrMemory)
		assert.Positive(t, r.UnverifiedIDs)
	})
	t.Run("no memory", func(t *testing.T) {
		_, err := Run(t.Context(), Config{
			Number: 2, Command: children("honest"), Load: bench.Config{Count: 500, Verify: true, VerifyMemory: 3},
		})
		require.ErrorContains(t, err, "process 2: "+bench.ErrMemory.Error(), "a share of 0 is not the default")
	})
}

func TestAProcessThatGoesAwayIsNamed(t *testing.T) {
	for kind, want := range map[string]string{
		"stillborn": "process 2: it ended before its time",
		"babbling":  `process 2: subprocess: not a message: "hello there\n"`,
	} {
		t.Run(kind, func(t *testing.T) {
			r, err := Run(t.Context(), Config{Number: 3, Command: children(kind), Load: bench.Config{Duration: time.Hour}})
			require.ErrorIs(t, err, ErrProcess)
			require.ErrorContains(t, err, want)
			assert.Empty(t, r.Processes, "none has begun")
		})
	}
}

func TestTheIdsOfProcessesThatAreLeftAreCompared(t *testing.T) {
	t.Setenv(childFile, filepath.Join(t.TempDir(), "ids"))
	r, err := Run(t.Context(), Config{
		Number: 2, Command: children("widowed"), Load: bench.Config{Duration: time.Hour, Goroutines: 1, Verify: true},
	})
	require.ErrorIs(t, err, ErrProcess)
	require.NotErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "process 2: it ended before its time")
	assert.Len(t, r.Processes, 1)
	assert.True(t, r.Interrupted)
	assert.GreaterOrEqual(t, r.IDs, int64(100_000))
	assert.Zero(t, *r.Duplicates)
	assert.Zero(t, r.UnverifiedIDs)
}

func TestProcessesOfTwoLayoutsAreRefused(t *testing.T) {
	_, err := Run(t.Context(), Config{Number: 2, Command: children("foreign"), Load: bench.Config{Count: 2}})
	require.ErrorIs(t, err, ErrProcess)
	require.ErrorContains(t, err, "process 2: bench: invalid config: layouts 30/20/13 and 28/22/13: all recordings need the same one")
}

func TestAnInterruptEndsAllProcessesWithAReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, Config{Number: 2, Command: children("honest"), Load: bench.Config{
		Duration: time.Hour, Verify: true, ProgressInterval: time.Millisecond,
		Progress: func(p bench.Progress) {
			if p.IDs > 0 {
				cancel()
			}
		},
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, ErrProcess)
	assert.True(t, r.Interrupted)
	assert.Positive(t, r.IDs)
	assert.Zero(t, *r.Duplicates)
}

func TestAnInterruptBeforeTheStartIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, Config{Number: 2, Command: children("honest"), Load: bench.Config{Duration: time.Hour}})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, ErrProcess)
}

func TestProcessesRefuseInvalidSettings(t *testing.T) {
	for name, p := range map[string]Config{
		"none":               {},
		"too many":           {Number: maxProcesses + 1},
		"fewer ids":          {Number: 3, Load: bench.Config{Count: 2}},
		"a mode it has not":  {Number: 1, Load: bench.Config{Stream: true, Batch: 7}},
		"a generator":        {Number: 1, Load: bench.Config{Generator: &fake{}}},
		"what Run refuses":   {Number: 1, Load: bench.Config{Goroutines: -1}},
		"count and duration": {Number: 1, Load: bench.Config{Count: 1, Duration: time.Second}},
	} {
		_, err := Run(t.Context(), p)
		assert.ErrorIs(t, err, bench.ErrConfig, name)
	}
	_, err := Run(t.Context(), Config{Number: 2, Load: bench.Config{Count: 1e9, Verify: true, VerifyMemory: 1e6}})
	require.ErrorIs(t, err, bench.ErrMemory)
	_, err = Run(t.Context(), Config{Number: 2, Command: children("honest"), Load: bench.Config{Stream: true}})
	require.ErrorContains(t, err, "this generator has no streams")
	_, err = Run(t.Context(), Config{Number: 1, Command: func() *exec.Cmd { return exec.Command("no/such/program") }})
	require.ErrorIs(t, err, ErrProcess)
	assert.True(t, errors.Is(err, os.ErrNotExist))
}
