package padding

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// counter is a ring of eight ids, of which it has only the number. It is low with fewer than
// five. How the real one is filled is tested in package uid.
type counter struct {
	left    int
	yields  bool // it puts one id at a time
	onPut   func()
	onArm   func()
	refills atomic.Int64 // that put some
	panics  atomic.Int64
}

func (c *counter) Panicked(any)             { c.panics.Add(1) }
func (c *counter) take(p *Padder, n int)    { p.Do(func() { c.left -= n }) }
func (c *counter) has(p *Padder) (left int) { p.Do(func() { left = c.left }); return left }
func (c *counter) Refilled()                {}
func nothing()                              {}

func (c *counter) Refill(r Request) (put int64, more bool) {
	if r == ToDrop || r == IfLow && c.left >= 5 && !c.yields || c.left == 8 {
		return 0, false
	}
	c.onPut()
	put = int64(8 - c.left)
	if c.yields {
		put = 1
	}
	c.left += int(put)
	c.refills.Add(1)
	return put, c.left < 8
}

func (c *counter) Arm() time.Duration {
	c.onArm()
	if c.left < 5 {
		return 0
	}
	return time.Hour
}

// padded runs a test in a bubble, with a padder that has filled its ring.
func padded(t *testing.T, test func(c *counter, p *Padder, end func())) {
	synctest.Test(t, func(t *testing.T) {
		c, p := &counter{onPut: nothing, onArm: nothing}, &Padder{}
		life, end := context.WithCancel(t.Context())
		defer end()
		p.Start(life, c, 0)
		synctest.Wait()
		c.refills.Store(0)
		test(c, p, end)
	})
}

// Takers that empty the ring as fast as it is filled keep the padder awake: it
// must look at its life all the same, or the bubble never ends.
func TestAPadderThatNeverRestsEnds(t *testing.T) {
	padded(t, func(c *counter, p *Padder, _ func()) {
		p.Do(func() { c.onArm = func() { c.left = 0 } })
		p.Wake()
		for c.refills.Load() < 100 {
			runtime.Gosched()
		}
	})
}

// The worker id of a generator that was closed may be another process's.
func TestAClosedPadderDoesNotRefill(t *testing.T) {
	padded(t, func(c *counter, p *Padder, end func()) {
		end()
		synctest.Wait()
		p.Do(func() { c.left = 0 })
		p.refill(IfLow)
		assert.Zero(t, c.has(p))
	})
}

// A refill that yields goes on at once, though the ring is not low any more.
func TestARefillThatYieldsGoesOn(t *testing.T) {
	padded(t, func(c *counter, p *Padder, _ func()) {
		p.Do(func() { c.left, c.yields = 4, true })
		p.Wake()
		synctest.Wait()
		assert.Equal(t, 8, c.has(p))
	})
}

func TestWakeUpsDoNotPileUp(t *testing.T) {
	padded(t, func(c *counter, p *Padder, _ func()) {
		for range 1_000_000 {
			p.Wake() // Baidu's queued a task for each
		}
		assert.LessOrEqual(t, len(p.wake), 1)
		c.take(p, 3)
		synctest.Wait()
		assert.Zero(t, c.refills.Load(), "the ring is not low")
		c.take(p, 1)
		p.Wake()
		synctest.Wait()
		assert.EqualValues(t, 1, c.refills.Load())
		assert.Equal(t, 8, c.has(p))
	})
}

// In the original, a provider that throws leaves "running" set for good. Here even a panic of
// somebody who recovers inside the critical section leaves it open.
func TestAPanicOfTheMintIsNotTheEnd(t *testing.T) {
	padded(t, func(c *counter, p *Padder, _ func()) {
		assert.Panics(t, func() { p.Do(func() { panic("foreign code") }) })
		p.Do(func() { c.left, c.onPut = 0, func() { c.onPut = nothing; panic("foreign code") } })
		p.Wake()
		synctest.Wait()
		assert.EqualValues(t, 1, c.panics.Load())
		assert.Zero(t, c.has(p))
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 8, c.has(p), "it tried again")
	})
}
