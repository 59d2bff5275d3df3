package uid

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// copied is a machine that is copied. Its worker ids tell how often it had been when they were
// assigned.
type copied struct{ atomic.Uint64 }

func (c *copied) Assign(context.Context, worker.Need) (worker.Lease, error) {
	return &testLease{id: int64(c.Load()), lo: math.MinInt64, hi: math.MaxInt64}, nil
}

// age is how often the machine had been copied when an id's worker id was assigned.
func (c *copied) age(g generator, id ID) uint64 {
	p, _ := g.ParseUID(id)
	return uint64(p.Worker)
}

// waysToTake are all of them; wait is one that finds no id at first.
var waysToTake = map[string]func(g generator) func(n int) ([]ID, error){
	"GetUID": func(g generator) func(int) ([]ID, error) {
		return func(int) ([]ID, error) { return single(g.GetUID()) }
	},
	"GetUIDContext": func(g generator) func(int) ([]ID, error) {
		return func(int) ([]ID, error) { return single(g.GetUIDContext(context.Background())) }
	},
	"AppendUIDs": func(g generator) func(int) ([]ID, error) {
		return func(n int) ([]ID, error) { return g.AppendUIDs(nil, n) }
	},
	"Stream": func(g generator) func(int) ([]ID, error) {
		if c, ok := g.(*CachedGenerator); ok {
			s := c.Stream()
			return func(int) ([]ID, error) { return single(s.GetUID()) }
		}
		return nil
	},
	"GetUIDFor": func(g generator) func(int) ([]ID, error) {
		if d, ok := g.(*DefaultGenerator); ok {
			return func(int) ([]ID, error) { return single(d.GetUIDFor(context.Background(), "orders")) }
		}
		return nil
	},
}

func single(id ID, err error) ([]ID, error) { return []ID{id}, err }

// copiedKinds are generators whose takes go different ways: the ring, the present tick, the clock.
func copiedKinds(t *testing.T, test func(t *testing.T, m *copied, g generator)) {
	for kind, open := range constructors {
		for _, lag := range []time.Duration{0, -1} {
			if kind == "default" && lag < 0 {
				continue
			}
			t.Run(fmt.Sprint(kind, lag), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, m := testConfig(), new(copied)
					c.Layout = SnowflakeLayout()
					c.Layout.Epoch, c.Layout.WorkerBits, c.Layout.SeqBits = bubbleStart, 14, 8
					c.MaxLag, c.Generation = lag, &m.Uint64
					g, err := open(t.Context(), m, c)
					require.NoError(t, err)
					test(t, m, g)
					require.NoError(t, g.Close())
				})
			})
		}
	}
}

// Whatever was taken, or made to be taken, before a copy is given up before a take returns.
func TestHammerOfCopies(t *testing.T) {
	copiedKinds(t, func(t *testing.T, m *copied, g generator) {
		var lists [10][]ID
		var takers sync.WaitGroup
		i := 0
		for name, way := range waysToTake {
			for range 2 {
				list, take := &lists[i], way(g)
				if i++; take == nil {
					continue
				}
				takers.Go(func() {
					for n := range underRace(3_000, 300) {
						if n%30 == 7 {
							m.Add(1)
						}
						before := m.Load()
						ids, err := take(n%50 + 1)
						if !assert.NoError(t, err) {
							return
						}
						for _, id := range ids {
							if m.age(g, id) < before {
								t.Errorf("%s: an id of copy %d, in copy %d", name, m.age(g, id), before)
							}
						}
						if name != "GetUIDFor" {
							*list = append(*list, ids...)
						}
					}
				})
			}
		}
		takers.Wait()
		distinct(t, slices.Concat(lists[:]...))
		assert.Positive(t, g.Stats().Copies)
	})
}

// Two copies would go on with one number, whatever they are told.
func TestACopyOfAWorkerIdThatIsNotFencedEnds(t *testing.T) {
	t.Setenv("UID_WORKER", "5")
	name := machine.This.HostName
	defer func() { machine.This.HostName = name }()
	machine.This.HostName = func() (string, error) { return "orders-5", nil }
	for name, a := range map[string]worker.Assigner{
		"Ordinal": worker.Ordinal(0),
		"Static":  worker.Static(5), "FromEnv": worker.FromEnv("UID_WORKER"),
		"AssignerFunc": worker.AssignerFunc(func(context.Context) (int64, error) { return 5, nil }),
	} {
		for how, do := range map[string]func(g generator, m *copied){
			"Generation":   func(_ generator, m *copied) { m.Add(1) },
			"AfterRestore": func(g generator, _ *copied) { g.AfterRestore() },
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
					c, m := testConfig(), new(copied)
					c.Generation = &m.Uint64
					log := logTo(&c)
					g, err := open(a, c)
					require.NoError(t, err)
					defer g.Close()
					take(t, g, 3)
					do(g, m)
					assert.ErrorIs(t, g.Ready(), ErrLeaseLost)
					for _, way := range waysToTake {
						if take := way(g); take != nil {
							_, err = take(1)
							assert.ErrorIs(t, err, ErrLeaseLost)
							assert.ErrorContains(t, err, "worker.Leased")
						}
					}
					<-g.Done()
					synctest.Wait()
					assert.Contains(t, log.String(), "level=ERROR")
					assert.Contains(t, log.String(), "no more ids")
					assert.EqualValues(t, 1, g.Stats().Leases)
				})
			})
		}
	}
}

// registrar counts registrations, as an auto-increment key does.
type registrar struct{ atomic.Int64 }

func (r *registrar) Kept(context.Context) error { return nil }

func (r *registrar) Register(context.Context, store.Node, int64) (int64, error) {
	return r.Add(1), nil
}

func TestACopyOfADisposableWorkerIdRegistersAnew(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, m := testConfig(), new(copied)
		c.Generation = &m.Uint64
		g, err := open(worker.Disposable(new(registrar)), c)
		require.NoError(t, err)
		defer g.Close()
		began := time.Now()
		for times := range uint64(3) {
			m.Store(times)
			assert.Equal(t, times+1, m.age(g, take(t, g, 1)[0]))
			assert.EqualValues(t, times, g.Stats().Copies)
		}
		assert.Positive(t, time.Since(began), "copies ask for other worker ids at other times")
	})
}

// A copy that nobody takes ids of must not go on to contest the worker id with others.
func TestAnIdleCopyGivesUpItsWorkerIdWhenTheGrantChanges(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, m, l := testConfig(), new(copied), granted(0, 99)
		c.Generation = &m.Uint64
		g, err := open(&succession{leases: []*testLease{l}}, c)
		require.NoError(t, err)
		defer g.Close()
		synctest.Wait()
		m.Add(1)
		l.set(func() { l.hi++ })
		synctest.Wait()
		assert.EqualValues(t, 1, g.Stats().Copies)
		assert.True(t, g.Stats().LeaseLost)
	})
}

// copying is a lease that is used by a Close beside which the machine is copied.
type copying struct {
	*testLease
	m       *copied
	closing atomic.Bool
}

func (l *copying) Assign(context.Context, worker.Need) (worker.Lease, error) { return l, nil }

func (l *copying) WorkerID() int64 {
	if l.closing.Load() {
		l.m.Add(1)
	}
	return l.id
}

// What was granted to both copies is not given back by one of them.
func TestACopyReleasesNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, m, l := testConfig(), new(copied), granted(0, math.MaxInt32)
		c.Generation = &m.Uint64
		g, err := open(l, c)
		require.NoError(t, err)
		m.Add(1)
		require.NoError(t, g.Close())
		assert.Empty(t, l.released)

		m.Store(0)
		c.Layout.WorkerBits, c.Layout.SeqBits = 2, 24 // too few for the lease's
		before := []func(){func() { m.Add(1) }}
		_, err = open(&answers{leases: []worker.Lease{l}, before: before}, c)
		require.ErrorIs(t, err, ErrWorkerID)
		assert.Empty(t, l.released)

		m.Store(0)
		c.Layout = testLayout
		before = []func(){nil, func() { m.Add(1) }}
		lost := granted(0, 9)
		g, err = open(&answers{leases: []worker.Lease{lost, granted(0, 9), l}, before: before}, c)
		require.NoError(t, err)
		lost.lose(worker.ErrRolledBack)
		synctest.Wait()
		require.NoError(t, g.Close())
		assert.Empty(t, lost.released, "it was lost before the machine was copied")

		late := &copying{testLease: granted(0, 9), m: m}
		g, err = open(late, c)
		require.NoError(t, err)
		late.closing.Store(true)
		require.NoError(t, g.Close())
		assert.Empty(t, late.released, "the machine was copied while Close ran")
	})
}

// The machine was copied while the worker id was asked for.
func TestAWorkerIdThatWasAskedForBeforeACopyIsNotUsed(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, m, first, second := testConfig(), new(copied), granted(0, 99), granted(0, 99)
		c.Generation, second.id = &m.Uint64, 8
		g, err := open(&answers{leases: []worker.Lease{first, second},
			before: []func(){func() { m.Add(1) }, func() {}}}, c)
		require.NoError(t, err)
		defer g.Close()
		p, err := g.ParseUID(take(t, g, 1)[0])
		require.NoError(t, err)
		assert.EqualValues(t, 8, p.Worker)
	})
}

// page is a VMClock page with this version and these flags.
func page(version uint16, flags uint64) []byte {
	b := make([]byte, 4096)
	binary.LittleEndian.PutUint32(b, 0x4b4c4356)
	binary.LittleEndian.PutUint16(b[8:], version)
	binary.LittleEndian.PutUint64(b[16:], 7) // disruption_marker
	binary.LittleEndian.PutUint64(b[24:], flags)
	binary.LittleEndian.PutUint64(b[104:], 9) // vm_generation_counter
	return b
}

func TestMapGeneration(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want uint64 // of the word
		at   int64
		err  string
	}{
		"a word":             {make([]byte, 8), 0, 0, ""},
		"a counter":          {page(1, 1<<8|1<<7), 9, 104, ""},
		"no counter":         {page(1, 1<<7), 7, 16, ""},
		"another version":    {page(2, 1<<8), 0, 0, "version 2"},
		"an empty file":      {nil, 0, 0, "neither"},
		"a text":             {[]byte("generation 1\n"), 0, 0, "neither"},
		"a page without end": {page(1, 1<<8)[:111], 0, 0, "neither"},
		"a page of zeros":    {make([]byte, 4096), 0, 0, "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "generation")
			require.NoError(t, os.WriteFile(path, c.file, 0o600))
			word, err := MapGeneration(path)
			if c.err != "" || runtime.GOOS != "linux" {
				require.ErrorIs(t, err, ErrConfig)
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, path)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, word.Load())
			_, err = counter(path)
			assert.Equal(t, name == "no counter", err != nil, err)
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			defer f.Close()
			_, err = f.WriteAt([]byte{42}, c.at)
			require.NoError(t, err)
			assert.EqualValues(t, 42, word.Load(), "whoever writes the file changes it")
		})
	}
	_, err := MapGeneration(t.TempDir())
	require.ErrorIs(t, err, ErrConfig)
	_, err = MapGeneration(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The generation is the setting, or else the device's, or none, which Stats and the log say.
func TestWhatTheGenerationIs(t *testing.T) {
	own, devices := new(atomic.Uint64), new(atomic.Uint64)
	own.Store(3)
	devices.Store(4)
	for want, c := range map[string]struct {
		setting, word *atomic.Uint64
		err           error
		logged        bool
	}{
		"Config.Generation":               {own, devices, nil, true},
		"/dev/vmclock0":                   {nil, devices, nil, true},
		"none: it may not be read":        {nil, nil, fmt.Errorf("it may not be read"), true},
		"none: " + os.ErrNotExist.Error(): {nil, nil, os.ErrNotExist, false},
	} {
		conf := settings{Generation: c.setting}.withDefaults()
		conf.device = func() (*atomic.Uint64, error) { return c.word, c.err }
		log := logTo(&conf)
		var k copies
		k.find(conf)
		assert.Equal(t, want, k.by)
		assert.False(t, k.copied(), "the first that is seen is no copy's")
		assert.Equal(t, c.logged, log.Len() > 0, want)
		if c.setting != nil || c.word != nil {
			assert.True(t, k.generation == c.setting || c.setting == nil && k.generation == c.word)
		}
	}
	g := cached(t, worker.Static(1), settings{Generation: own, Logger: slog.New(slog.DiscardHandler)})
	assert.Equal(t, "Config.Generation", g.Stats().Generation)
}

// forking are settings with which a process is forked when the word is 0.
func forking() (settings, *atomic.Uint64) {
	c, word := testConfig(), new(atomic.Uint64)
	word.Store(1)
	c.device = func() (*atomic.Uint64, error) { return nil, os.ErrNotExist }
	c.ofProcess = func() *atomic.Uint64 { return word }
	return c, word
}

// A child has a copy of all that the process had, and nothing runs there that could get more.
func TestAForkedChildMakesNoIDs(t *testing.T) {
	for _, fenced := range []bool{true, false} {
		eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
			c, word := forking()
			l := &restoring{testLease: granted(0, math.MaxInt32)}
			g, err := open(assigner(func() worker.Lease {
				if fenced {
					return l
				}
				return unfencedLease{l.testLease}
			}), c)
			require.NoError(t, err)
			defer g.Close()
			take(t, g, 3)
			word.Store(0)
			began := time.Now()
			for name, way := range waysToTake {
				takes := way(g)
				if takes == nil {
					continue
				}
				_, err := takes(1)
				assert.ErrorIs(t, err, ErrLeaseLost, name)
				assert.ErrorContains(t, err, "was forked", name)
			}
			assert.Zero(t, time.Since(began), "without waiting")
			assert.Zero(t, l.times.Load(), "who is gone may have kept its lock")
		})
	}
}

// Where a child ends, as at the exit of an interpreter, nobody is there to wait for.
func TestAForkedChildCloses(t *testing.T) {
	for _, takes := range []bool{true, false} {
		eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
			c, word := forking()
			l := granted(0, math.MaxInt32)
			g, err := open(assigner(func() worker.Lease { return l }), c)
			require.NoError(t, err)
			g.base().following.Add(1) // who is not there in the child
			word.Store(0)
			if takes {
				_, err = g.GetUID()
				require.ErrorIs(t, err, ErrLeaseLost)
			}
			require.NoError(t, g.Close())
			_, err = g.GetUID()
			assert.ErrorIs(t, err, ErrClosed)
			assert.Empty(t, l.released, "the parent has it")
		})
	}
}
