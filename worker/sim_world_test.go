package worker

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The simulation runs the real protocol against a real store in a world that one
// number decides: there are no goroutines, no clock but the world's, and no
// randomness but its generator's. The same seed is the same schedule, which is
// FoundationDB's and TigerBeetle's way of testing. Which faults a world knows is
// drawn too, since a world with all of them seldom gets far enough for a single
// one to bite: Groce et al., "Swarm Testing", ISSTA 2012.
//
// It begins with an empty store: the processes create their rows, and create them again
// when somebody has deleted them.
//
// Not simulated, since it is not promised: two primaries at once, a server whose clock
// is further behind what it lost than Slack, and a clone that mints before it is told
// that it is one. A store that goes back in time under its old incarnation is: see
// oracle for what is promised then.
type world struct {
	*rand.Rand
	seed uint64
	off  mutation // the rule that is switched off
	soft bool     // look for duplicates and broken order alone, not for rules

	now       time.Duration // true time, since simStart
	server    *server
	network   []message
	processes []*process
	born      int // processes so far, clones included
	calls     int
	operators int // at the command line

	rows, most int           // worker ids, and processes at a time
	unit       time.Duration // of a tick; all durations grow with it
	window     int64         // in ticks: store.Pool.Window of the unit
	ttl        time.Duration
	timeout    time.Duration
	latency    time.Duration // of a message, at most, where a tick is a second
	slack      int64         // in ticks
	alone      int64         // in ticks: see store.View
	disagree   bool          // claims have a smaller slack than the pool
	pace       int           // rows are created one by one; 0: all at once
	fills      bool          // then others are created beside the work
	clockless  bool          // the store's writes have no clock
	documents  bool          // the store is docstore
	odds       odds
	plain      bool // views are of the present, or writes miss for no reason but the nonce

	oracle oracle
	broken error

	tracing bool
	trace   strings.Builder
}

// odds are the chances of faults, in thousandths of a step or of a message.
type odds struct {
	lose, double, delay, stale        int // of a message
	crash, leave, pause, clone, steal int // of a step of a process
	jump, decade                      int // of a process's clock
	storeJump, storeDecade            int
	restart, rollback, down           int // of the store
	rewind                            int // it goes back in time, and does not tell
	free, remove                      int // of an operator: frees a row, deletes rows or heads
	quarantine                        int // the same, on a store whose clock may have been ahead
	restore                           int // an old state of documents, as people are told to
	ahead                             int // of a process that starts: its clock is an hour ahead
	layout                            int // the same: its layout is another one
}

const simSteps = 2000

// simUnits are those with windows of 2 to 10 ticks.
var simUnits = []time.Duration{6 * time.Second, 10 * time.Second, 15 * time.Second,
	20 * time.Second, 30 * time.Second}

var simStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newWorld(seed uint64, off mutation, soft, tracing bool) *world {
	return newWorldOn(seed, off, soft, tracing, false)
}

// newWorldOn is a world whose store is documents, or one as newWorld's.
func newWorldOn(seed uint64, off mutation, soft, tracing, documents bool) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 0x7269_6e67)), seed: seed, off: off, soft: soft,
		tracing: tracing, documents: documents,
		latency: 100 * time.Millisecond}
	w.rows, w.most = 1+w.IntN(3), 2+w.IntN(3)
	w.unit = simUnits[w.IntN(len(simUnits))]
	w.window = w.pool(simLayout).Window()
	w.ttl = w.duration(time.Second, 12*time.Second)
	w.timeout = w.duration(100*time.Millisecond, 2*time.Second)
	w.slack = 1 + w.Int64N(3)
	w.pace = w.IntN(2)
	for _, f := range []struct {
		chance *int
		most   int
	}{
		{&w.odds.lose, 200}, {&w.odds.double, 300}, {&w.odds.delay, 200}, {&w.odds.stale, 200},
		{&w.odds.crash, 4}, {&w.odds.leave, 10}, {&w.odds.pause, 8}, {&w.odds.clone, 12},
		{&w.odds.steal, 100},
		{&w.odds.jump, 4}, {&w.odds.decade, 1}, {&w.odds.storeJump, 3}, {&w.odds.storeDecade, 1},
		{&w.odds.restart, 4}, {&w.odds.rollback, 6}, {&w.odds.down, 2}, {&w.odds.rewind, 4},
		{&w.odds.free, 8}, {&w.odds.remove, 20}, {&w.odds.layout, 300}, {&w.odds.quarantine, 20},
	} {
		if w.IntN(2) == 0 {
			*f.chance = 1 + w.IntN(f.most)
		}
	}
	w.chooseFaults()
	if off == keptRow || off == believeGone {
		w.odds.stale = 0 // a stale view does not show that the row is gone
	}
	w.fills = w.pace > 0 && w.IntN(2) == 0
	w.oracle = newOracle(w)
	w.server = newServer(w)
	w.say("%d worker ids, ticks of %v, window %d, TTL %v, timeout %v, slack %d + %d, disagree %v, "+
		"faults %+v", w.rows, w.unit, w.window, w.ttl, w.timeout, w.slack, w.alone, w.disagree, w.odds)
	for range w.most {
		w.start()
	}
	return w
}

// run steps until the end or until something is wrong.
func (w *world) run() error {
	steps := simSteps
	if w.documents {
		steps *= 2
	}
	for range steps {
		w.step()
		if w.broken != nil {
			break
		}
	}
	return w.broken
}

// step lets one thing happen.
func (w *world) step() {
	switch {
	case w.IntN(3) == 0:
		w.now += w.duration(0, 150*time.Millisecond)
		if w.IntN(30) == 0 {
			w.now += w.duration(0, 10*time.Second)
		}
	case w.IntN(2) == 0 && w.deliver():
		for w.documents && w.IntN(8) > 0 && w.deliver() { // a call is many requests
		}
	case w.IntN(20) == 0:
		w.server.suffer()
	default:
		p := w.processes[w.IntN(len(w.processes))]
		p.suffer()
		p.act()
	}
	w.oracle.check()
}

// start adds a process that knows nothing of any other.
func (w *world) start() {
	w.born++
	p := &process{w: w, id: w.born, layout: simLayout, off: w.server.off, last: noTick,
		cursor: noTick, sent: map[store.Nonce]bool{}, known: map[store.Nonce]bool{}}
	if w.chance(w.odds.layout) {
		p.layout = otherLayout
	}
	if w.chance(w.odds.ahead) {
		p.off += time.Hour
	}
	p.claim = p.newClaim()
	if w.documents {
		p.client = newClient(p)
	}
	p.acquire()
	w.processes = append(w.processes, p)
	w.say("%v starts", p)
}

// end takes a process away; another one starts in its place.
func (w *world) end(p *process) {
	p.routine.stop()
	for i, q := range w.processes {
		if q == p {
			w.processes = append(w.processes[:i], w.processes[i+1:]...)
			break
		}
	}
	if w.generators() < w.most {
		w.start()
	}
}

// close ends what the processes run.
func (w *world) close() {
	for _, p := range w.processes {
		p.routine.stop()
		p.client.end()
	}
}

// generators is how many processes there are that mint.
func (w *world) generators() (n int) {
	for _, p := range w.processes {
		if p.filler == nil {
			n++
		}
	}
	return n
}

// chance is true so many times in a thousand.
func (w *world) chance(in1000 int) bool { return in1000 > 0 && w.IntN(1000) < in1000 }

// duration is a random one, in a world whose ticks are seconds; in others it is longer.
func (w *world) duration(from, to time.Duration) time.Duration {
	return (from + time.Duration(w.Int64N(int64(to-from)))) * (w.unit / time.Second)
}

func (w *world) pool(layout string) store.Pool { return store.Pool{Layout: layout, Unit: w.unit} }

// tickAt is the tick that holds t.
func (w *world) tickAt(t time.Time) int64 { return w.pool(simLayout).TickAt(t) }

// jump is a step of a clock: of up to 288 seconds or of ten years, both ways.
func (w *world) jump(decade bool) time.Duration {
	if decade {
		return time.Duration(w.IntN(3)-1) * 10 * 365 * 24 * time.Hour
	}
	return w.duration(-288*time.Second, 288*time.Second)
}

// say writes a line of the schedule.
func (w *world) say(format string, args ...any) {
	if w.tracing {
		fmt.Fprintf(&w.trace, "%9.3fs  %s\n", w.now.Seconds(), fmt.Sprintf(format, args...))
	}
}

// fail notes the first thing that is wrong.
func (w *world) fail(format string, args ...any) {
	if w.broken == nil {
		w.broken = fmt.Errorf(format, args...)
		w.say("WRONG: %v", w.broken)
	}
}

// short is a tick that people can compare.
func (w *world) short(tick int64) string {
	if tick == noTick {
		return "none"
	}
	return fmt.Sprint(tick - w.tickAt(simStart))
}
