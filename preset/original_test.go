package preset

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// How a preset is compared with the system it is named after: a script moves a
// clock and takes ids; it is run twice under a fake clock, once with our
// generator and once with a slow model of the original, and every take must give
// the same id, or the same kind of error, at the same time. Where the original is
// known to be wrong its model says so, and from there on ours need only not
// repeat an id.

// original is the algorithm of another system.
type original interface {
	// next gives an id; or uid.ErrClockBack or uid.ErrTickFull where the original
	// refuses; and it waits where the original does.
	next() (int64, error)

	// wrong reports that giving this id is a fault: the id was given before, or
	// may have been, for all that the algorithm knows. It sees every id.
	wrong(id int64) bool
}

// scriptClock is the fake clock, which runs on as time does, plus what a script
// has set it forward or back.
type scriptClock struct {
	offset atomic.Int64
	epoch  int64 // in Unix milliseconds
	unit   int64 // milliseconds of a tick
}

func (c *scriptClock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c *scriptClock) step(by time.Duration) { c.offset.Add(int64(by)) }

func (c *scriptClock) sleep(n int64) { time.Sleep(time.Duration(n*c.unit) * time.Millisecond) }
func (c *scriptClock) tick() int64   { return c.Now().UnixMilli()/c.unit - c.epoch/c.unit }

func (c *scriptClock) start(tick int64) time.Time {
	return time.UnixMilli((c.epoch/c.unit + tick) * c.unit)
}

// spin is what the originals do until the clock has passed a tick.
func (c *scriptClock) spin(last int64) int64 {
	for c.tick() <= last {
		time.Sleep(c.start(c.tick() + 1).Sub(c.Now()))
	}
	return c.tick()
}

// clockAt is a clock at the beginning of a tick.
func clockAt(l uid.Layout, tick int64) *scriptClock {
	c := &scriptClock{epoch: l.Epoch.UnixMilli(), unit: l.Unit.Milliseconds()}
	time.Sleep(time.Until(c.start(tick)))
	return c
}

// scriptLine is a line of a script: let time pass, set the clock, take ids.
type scriptLine struct {
	pass, step time.Duration
	takes      int
}

func (d scriptLine) String() string { return fmt.Sprintf("+%v %+v x%d", d.pass, d.step, d.takes) }

// randomScript stands still, goes on and jumps. Scripts differ in how far they
// go: some bounce on the spot, so that a time is passed often; and in how often
// they use up a tick.
func randomScript(seed uint64, unit time.Duration, tickIDs int64) []scriptLine {
	r := rand.New(rand.NewPCG(seed, 0))
	far := []int64{4, 12, 90}[seed%3]
	fullIn100 := []int{0, 10, 40}[seed/3%3]
	upTo := func(n int64) time.Duration { return time.Duration(1+r.Int64N(n)) * unit }
	script := make([]scriptLine, 60)
	for i := range script {
		d := &script[i]
		switch r.IntN(11) {
		case 0, 1, 2, 3: // still
		case 4, 5:
			d.pass = upTo(3)
		case 6:
			d.pass = upTo(far / 2)
		case 7, 8:
			d.step = upTo(far)
		case 9:
			d.step = -upTo(min(7, far))
		case 10:
			d.step = -upTo(far)
		}
		d.takes = 1 + r.IntN(6)
		if r.IntN(100) < fullIn100 {
			d.takes += r.IntN(3 * int(tickIDs))
		}
	}
	return script
}

// forward is a script whose clock nobody sets: time passes instead.
func forward(script []scriptLine) []scriptLine {
	script = slices.Clone(script)
	for i, d := range script {
		script[i].pass, script[i].step = d.pass+max(d.step, 0), 0
	}
	return script
}

// taken is what a take gave, and when.
type taken struct {
	id     uid.ID
	err    error
	at     time.Duration // since the script began
	waited time.Duration
}

func (k taken) String() string {
	return fmt.Sprintf("%d, error %v, at %v, after %v", k.id, k.err, k.at, k.waited)
}

func (k taken) same(other taken) bool {
	return k.id == other.id && sentinel(k.err) == sentinel(other.err) && k.at == other.at
}

// sentinel is which of package uid's errors a default generator's wraps.
func sentinel(err error) error {
	for _, s := range []error{uid.ErrClockBack, uid.ErrTickFull, uid.ErrTimeOver} {
		if errors.Is(err, s) {
			return s
		}
	}
	return err
}

// scenario is where a script is run: with these settings and this worker id,
// from this tick of the layout on.
type scenario struct {
	config       uid.DefaultConfig
	worker, from int64
}

// aYearOn is a scenario a year after the layout's epoch, for worker id 3, or 0 of a
// layout without worker bits.
func aYearOn(c uid.DefaultConfig) scenario {
	unit, epoch := c.Layout.Unit.Milliseconds(), c.Layout.Epoch
	return scenario{c, min(3, c.Layout.MaxWorker()),
		epoch.AddDate(1, 0, 0).UnixMilli()/unit - epoch.UnixMilli()/unit}
}

// run runs a script under a fake clock and returns what each take gave. A take gives as many ids
// as it likes of those that its line has left.
func (s scenario) run(t *testing.T, script []scriptLine,
	open func(*testing.T, *scriptClock) (take func(left int) ([]uid.ID, error), stop func()),
) (all []taken) {
	synctest.Test(t, func(t *testing.T) {
		clock := clockAt(s.config.Layout, s.from)
		take, stop := open(t, clock)
		defer stop()
		start := time.Now()
		for _, d := range script {
			time.Sleep(d.pass)
			clock.step(d.step)
			for left := d.takes; left > 0; {
				before := time.Now()
				ids, err := take(left)
				at, waited := time.Since(start), time.Since(before)
				for _, id := range ids {
					all = append(all, taken{id, nil, at, waited})
				}
				if left -= len(ids); err != nil {
					all = append(all, taken{0, err, at, waited})
					left--
				}
			}
		}
	})
	return all
}

// ours runs a script with a default generator, one by one or with a batch for each line.
func (s scenario) ours(t *testing.T, script []scriptLine, batches bool) []taken {
	return s.run(t, script, func(t *testing.T, clock *scriptClock) (func(int) ([]uid.ID, error),
		func()) {
		c := s.config
		if slices.ContainsFunc(script, func(d scriptLine) bool { return d.step != 0 }) {
			c.Now = clock.Now // else the machine's, between whose looks ids are taken in a tick
		}
		g, err := uid.NewDefault(t.Context(), worker.Static(s.worker), c)
		require.NoError(t, err)
		return func(left int) ([]uid.ID, error) {
			if batches {
				return g.AppendUIDsContext(t.Context(), nil, left)
			}
			return one(g.GetUIDContext(t.Context()))
		}, func() { g.Close() }
	})
}

func one(id uid.ID, err error) ([]uid.ID, error) {
	if err != nil {
		return nil, err
	}
	return []uid.ID{id}, nil
}

// opener makes the model of an original. ours is what our generator gave for the
// same script.
type opener func(s scenario, clock *scriptClock, ours []taken) original

// theirs runs a script with a model and returns what it gave, and how many of
// that before its first fault.
func (s scenario) theirs(t *testing.T, script []scriptLine, open opener, ours []taken) (all []taken,
	right int) {
	right = -1
	all = s.run(t, script, func(_ *testing.T, clock *scriptClock) (func(int) ([]uid.ID, error),
		func()) {
		m, n := open(s, clock, ours), 0
		return func(int) ([]uid.ID, error) {
			id, err := m.next()
			if right < 0 && err == nil && m.wrong(id) {
				right = n
			}
			n++
			return one(uid.ID(id), err)
		}, func() {}
	})
	if right < 0 {
		right = len(all)
	}
	return all, right
}

// compare requires that ours is what the original gave while it was right, and
// that ours never repeats an id.
func compare(t *testing.T, script []scriptLine, ours, theirs []taken, right int) {
	t.Helper()
	require.Len(t, ours, len(theirs))
	for i, theirs := range theirs[:right] {
		if !theirs.same(ours[i]) {
			require.Failf(t, "not what the original gives", "take %d of %v\nours:   %v\ntheirs: %v", i,
				script, ours[i], theirs)
		}
	}
	var ids []uid.ID
	for _, k := range ours {
		if k.err == nil {
			ids = append(ids, k.id)
		}
	}
	distinct(t, ids, script)
}

// distinct requires that ours repeats no id.
func distinct(t *testing.T, ids []uid.ID, after ...any) {
	t.Helper()
	n := len(ids)
	slices.Sort(ids)
	assert.Len(t, slices.Compact(ids), n, after...)
}
