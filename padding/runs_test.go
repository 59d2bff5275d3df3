package padding

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runs is a ring of four slots, each for a run of four ticks of four ids.
func runs(change func(*fakeMint, *Config)) func(*fakeMint, *Config) {
	return func(m *fakeMint, c *Config) {
		m.size, m.perSlot, m.run = 4, 16, 4
		change(m, c)
	}
}

// requireTicks requires all ids of the ticks from first to last, in order.
func requireTicks(t *testing.T, first, last int64, ids []id) {
	t.Helper()
	require.Len(t, ids, int(last-first+1)*4)
	for i, got := range ids {
		require.Equal(t, id{start + first + int64(i)/4, int64(i) % 4}, got)
	}
}

func TestARunEndsWhereTheGrantDoes(t *testing.T) {
	bench(t, runs(func(m *fakeMint, _ *Config) { m.lo, m.hi = start+2, start+7 }),
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			requireTicks(t, 2, 7, m.take(100))
			assert.Empty(t, m.take(1))
			m.set(func() { assert.Equal(t, start+8, m.wanted); m.hi++ })
			p.Wake()
			requireTicks(t, 8, 8, m.take(100))
			m.set(func() { m.lo, m.hi = start+100, start+101 })
			p.Wake()
			requireTicks(t, 100, 101, m.take(100))
		})
}

// Of a run of which some ticks are old these are dropped, and no others.
func TestTheOldTicksOfARunAreDropped(t *testing.T) {
	bench(t, runs(func(_ *fakeMint, c *Config) { c.MaxLag = 10 * time.Second }),
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			m.take(2)
			time.Sleep(6*time.Second + time.Millisecond) // tick 0 ended five seconds ago
			synctest.Wait()
			s := p.Stats()
			assert.EqualValues(t, 3*4-2, s.Dropped, "up to half as long ago")
			assert.EqualValues(t, 2, s.Taken)
			assert.Equal(t, 4, m.Used(), "the ring is as full as it can be")
			requireTicks(t, 3, 15, m.take(100))
			assert.EqualValues(t, 2+13*4, p.Stats().Taken)
			for range 100 {
				time.Sleep(time.Second)
				synctest.Wait()
				if oldest, ok := m.Oldest(); ok {
					require.LessOrEqual(t, time.Now().Unix()-oldest, int64(6))
				}
				require.EqualValues(t, 2+13*4, p.Stats().Taken)
			}
			assert.Zero(t, m.Used())
		})
}

// What a run has left to put may become old, too, as when a machine was suspended.
func TestTheOldTicksOfARestAreNotPut(t *testing.T) {
	var suspended time.Duration
	bench(t, runs(func(m *fakeMint, c *Config) {
		m.size, m.perSlot = 5, 5
		suspended, c.MaxLag = 0, 10*time.Second
		c.Now = func() time.Time { return time.Now().Add(suspended) }
	}), func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
		synctest.Wait()
		require.Equal(t, rest{tick: start + 5, from: 1, held: true}, p.rest)
		suspended = 12*time.Second + 500*time.Millisecond
		m.set(func() { m.ring = nil }) // others took all
		requireTicks(t, 7, 7, m.take(4))
		requireTicks(t, 12, 15, m.take(4*4))
	})
}

// A rest may begin and end in the middle of a tick, wherever slots end.
func TestARunIsPutInParts(t *testing.T) {
	bench(t, runs(func(m *fakeMint, _ *Config) { m.perSlot = 5 }),
		func(m *fakeMint, p *Padder, _ *bytes.Buffer) {
			var all []id
			for range 100 {
				all = append(all, m.take(7)...)
			}
			requireTicks(t, 0, 174, all)
			s := p.Stats()
			assert.Zero(t, s.Discarded)
			assert.Positive(t, s.Rejected)
			assert.EqualValues(t, 700, s.Taken)
		})
}
