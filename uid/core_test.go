package uid

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// constructors are both: what is refused is refused by each.
var constructors = map[string]func(context.Context, worker.Assigner, settings) (generator, error){
	"cached": func(ctx context.Context, a worker.Assigner, c settings) (generator, error) {
		g, err := newCached(ctx, a, c)
		if err != nil {
			return nil, err
		}
		return g, nil
	},
	"default": func(ctx context.Context, a worker.Assigner, c settings) (generator, error) {
		c.MaxAhead, c.RejectTake = 0, nil // a default generator has neither
		g, err := newDefault(ctx, a, c)
		if err != nil {
			return nil, err
		}
		return g, nil
	},
}

// No conversion forgets a field, and each setting is a field of one.
func TestEachFieldIsASetting(t *testing.T) {
	unused := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[settings]()) {
		unused[f.Name] = f.IsExported()
	}
	var one Config
	var two CachedConfig
	var three DefaultConfig
	for config, convert := range map[any]func() settings{
		&one:   func() settings { return one.settings() },
		&two:   func() settings { return two.settings() },
		&three: func() settings { return three.settings() },
	} {
		given := reflect.ValueOf(config).Elem()
		for i := range given.NumField() {
			switch f := given.Field(i); f.Interface().(type) {
			case Layout:
				f.Set(reflect.ValueOf(testLayout))
			case bool:
				f.SetBool(true)
			case policy.LeaseLost:
				f.SetUint(1)
			case policy.ClockBack, policy.TickFull, nil:
			case *slog.Logger:
				f.Set(reflect.ValueOf(slog.Default()))
			case *atomic.Uint64:
				f.Set(reflect.ValueOf(new(atomic.Uint64)))
			default:
				if f.CanInt() {
					f.SetInt(int64(i) + 1)
				} else if f.Kind() == reflect.Func {
					f.Set(reflect.MakeFunc(f.Type(), nil))
				}
			}
		}
		three.ClockBack, three.TickFull = policy.GoOn, policy.FailNow
		got := reflect.ValueOf(convert())
		for i := range given.NumField() {
			name := given.Type().Field(i).Name
			delete(unused, name)
			assert.False(t, given.Field(i).IsZero(), name)
			assert.Equal(t, fmt.Sprint(given.Field(i)), fmt.Sprint(got.FieldByName(name)), name)
		}
	}
	assert.NotContains(t, slices.Collect(maps.Values(unused)), true)
}

func TestTheZeroLayouts(t *testing.T) {
	assert.Equal(t, SnowflakeLayout(), Config{}.settings().withDefaults().Layout)
	assert.Equal(t, DefaultLayout(), CachedConfig{}.settings().withDefaults().Layout)
	assert.Equal(t, DefaultLayout(), DefaultConfig{}.settings().withDefaults().Layout)
}

func TestBadSettingsAreErrorsThatSayWhatToDo(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*settings)
		is     error
		says   string
	}{
		"too many bits": {func(c *settings) { c.Layout.SeqBits = 14 }, ErrLayout, "take 1 away"},
		"epoch ahead": {func(c *settings) { c.Layout.Epoch = now.Add(time.Hour) }, ErrLayout,
			"ahead of now"},
		"time over": {func(c *settings) { c.Layout = BaiduLayout() }, ErrTimeOver,
			"2024-11-20T13:24:16Z, and the clock shows 2026-06-01T00:00:00Z"},
	} {
		for kind, open := range constructors {
			t.Run(name+"/"+kind, func(t *testing.T) {
				config := settings{Layout: DefaultLayout(), Now: func() time.Time { return now }}
				c.change(&config)
				g, err := open(t.Context(), worker.Static(1), config)
				require.ErrorIs(t, err, c.is)
				assert.ErrorContains(t, err, c.says)
				assert.Nil(t, g)
			})
		}
	}
}

func TestBadSettingsOfTheRing(t *testing.T) {
	for says, c := range map[string]settings{
		"PaddingFactor is 100: set it to a percentage from 1 to 99": {PaddingFactor: 100},
		"PaddingFactor is -1": {PaddingFactor: -1}, "BoostPower is -1": {BoostPower: -1},
		"RingSize is -1": {RingSize: -1}, "ScheduleInterval is -1ns": {ScheduleInterval: -1},
		"MaxAhead is -1ns": {MaxAhead: -1},
	} {
		_, err := newCached(t.Context(), worker.Static(1), c)
		require.ErrorIs(t, err, ErrConfig, says)
		assert.ErrorContains(t, err, says)
	}
}

func TestARingThatDoesNotFitMemoryIsRefused(t *testing.T) {
	long := Layout{Epoch: DefaultLayout().Epoch, Unit: 24 * time.Hour, TimeBits: 17, SeqBits: 40}
	for name, c := range map[string]settings{
		"boost power":            {BoostPower: 40},
		"boost power overflows":  {BoostPower: 62},
		"ring size":              {RingSize: 1 << 40},
		"boost power, long tick": {Layout: long, BoostPower: 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newCached(t.Context(), worker.Static(1), c)
			require.ErrorIs(t, err, ErrConfig)
			assert.ErrorContains(t, err, "256 MiB")
		})
	}
}

func TestRingSizes(t *testing.T) {
	seq := func(bits int) Layout {
		return Layout{Epoch: DefaultLayout().Epoch, Unit: time.Second, TimeBits: 33, SeqBits: bits}
	}
	for name, c := range map[string]struct {
		config settings
		want   int64
	}{
		"default":                  {settings{}, 65_536},
		"one tick":                 {settings{RingSize: 8_192}, 8_192},
		"asked for":                {settings{RingSize: 1 << 24}, 1 << 24},
		"asked for, rounded up":    {settings{RingSize: 1<<13 + 1}, 1 << 14},
		"small ticks":              {settings{Layout: seq(4)}, 128},
		"refilled at once":         {settings{Layout: seq(4), PaddingFactor: 99}, 128},
		"one id a tick":            {settings{Layout: seq(0)}, 8},
		"long ticks":               {settings{Layout: seq(30)}, 1 << 22},
		"larger when boost is set": {settings{Layout: seq(20), BoostPower: 3}, 1 << 23},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Logger, c.config.AllowRepeats, c.config.MaxLag = slog.New(slog.DiscardHandler), true, -1
			g := cached(t, worker.Static(0), c.config)
			assert.Equal(t, c.want, g.Stats().RingSize)
			assert.Equal(t, c.want, g.Stats().Left, "filled once before the constructor returned")
			assert.LessOrEqual(t, g.mint.lowWater(), int(g.mint.slots), "a full ring is not low")
		})
	}
}

// A layout may last for longer than a time.Duration can say.
func TestAGrantOfAllTicksDoesNotEnd(t *testing.T) {
	c := testConfig()
	c.Layout.Unit, c.Layout.TimeBits, c.Layout.WorkerBits = time.Millisecond, 54, 5
	g := cached(t, worker.Static(3), c)
	g.mint.padder.Do(func() { assert.Greater(t, g.mint.ending(), 100*365*24*time.Hour) })

	c = testConfig()
	c.Layout = Layout{Epoch: bubbleStart, Unit: time.Second, TimeBits: 63}
	take(t, cached(t, worker.Static(0), c), 1) // its last tick cannot be counted from 1970
}

// No clock shows the last tick that an int64 counts, but Config.Now can.
func TestTheLastTickThatCanBeCountedGivesOneID(t *testing.T) {
	c := testConfig()
	c.Layout = Layout{Epoch: time.Unix(0, 0), Unit: time.Second, TimeBits: 63}
	c.Now = func() time.Time { return time.Unix(farthest, 0) }
	g := cached(t, worker.Static(0), c)
	assert.Equal(t, []ID{math.MaxInt64}, take(t, g, 1))
	_, err := g.GetUID()
	assert.ErrorIs(t, err, ErrTimeOver)
}

func TestWorkerIdsThatDoNotFit(t *testing.T) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			_, err := open(t.Context(), worker.Static(1<<22), settings{})
			require.ErrorIs(t, err, ErrWorkerID)
			assert.ErrorContains(t, err, "4194304")
			assert.ErrorContains(t, err, "4194303")

			// An assigner that does not look itself is found out.
			ended, end := context.WithCancel(t.Context())
			end()
			for _, id := range []int64{1 << 22, -1} {
				l := &testLease{id: id, hi: math.MaxInt64}
				_, err = open(ended, l, settings{})
				require.ErrorIs(t, err, ErrWorkerID)
				assert.Len(t, l.released, 1, "given back")
				assert.NotErrorIs(t, err, context.Canceled)
			}
			_, err = open(t.Context(), nil, settings{})
			assert.ErrorIs(t, err, ErrConfig)
		})
	}
}

type failing struct{ err error }

func (f failing) Assign(context.Context, worker.Need) (worker.Lease, error) { return nil, f.err }

func TestAnAssignersErrorIsKept(t *testing.T) {
	down := errors.New("store is down")
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			_, err := open(t.Context(), failing{down}, settings{})
			assert.ErrorIs(t, err, down)
			_, err = open(t.Context(), failing{nil}, settings{})
			assert.ErrorIs(t, err, ErrConfig, "no panic, which would end the process at a later Assign")
		})
	}
}

func TestWarnings(t *testing.T) {
	end := DefaultLayout().End()
	for name, c := range map[string]struct {
		now  time.Time
		a    worker.Assigner
		says []string
	}{
		"a year left": {end.AddDate(-1, 0, 0).Add(-time.Second), &testLease{hi: math.MaxInt64},
			nil},
		"less than a year": {end.AddDate(0, -11, 0), &testLease{hi: math.MaxInt64},
			[]string{"less than a year"}},
		"a static worker id": {end.AddDate(-2, 0, 0), worker.Static(1), []string{"not fenced"}},
	} {
		for kind, open := range constructors {
			t.Run(name+"/"+kind, func(t *testing.T) {
				config := settings{Now: func() time.Time { return c.now }}
				log := logTo(&config)
				g, err := open(t.Context(), c.a, config)
				require.NoError(t, err)
				require.NoError(t, g.Close())
				assert.Equal(t, len(c.says), strings.Count(log.String(), "\n"), log.String())
				for _, says := range c.says {
					assert.Contains(t, log.String(), says)
				}
			})
		}
	}
}
