package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// server is the store: memstore with a clock of its own, and the faults of a
// server in front of it.
type server struct {
	w           *world
	mem         *memstore.Store
	incarnation int
	off         time.Duration // its clock's lead over true time
	down        time.Duration // until then
	past        []*memstore.Store
	named       map[store.Nonce]bool // of rows that nobody has written yet
	// the clock that a write brings with it; zero: there is a better one
	told   time.Time
	latest time.Time // the highest clock that anything was granted by
}

const simSpace, simLayout = "sim", "layout"

var simNeed = Need{Unit: simUnit, Fingerprint: simLayout, MaxID: store.MaxRows}

// tickAt is the tick that holds t.
func tickAt(t time.Time) int64 { return store.Namespace{Unit: simUnit}.TickAt(t) }

var discard = slog.New(slog.DiscardHandler)

var background = context.Background()

func newServer(w *world) *server {
	s := &server{w: w, off: w.duration(-time.Second, time.Second), named: map[store.Nonce]bool{}}
	s.mem = memstore.NewAt(s.clock)
	s.mem.Restart("server 0")
	s.init(InitOptions{Fresh: true})
	w.say("%d worker ids, window %d, TTL %v, timeout %v, slack %d, faults %+v", w.rows, w.window,
		w.ttl, w.timeout, w.slack, w.odds)
	return s
}

func (s *server) now() time.Time { return simStart.Add(s.w.now + s.off).Truncate(time.Millisecond) }

// clock is what memstore goes by.
func (s *server) clock() time.Time {
	if !s.told.IsZero() {
		return s.told
	}
	return s.now()
}

func (s *server) init(o InitOptions) {
	o.Slack = time.Duration(s.w.slack) * simUnit
	n := Namespace{Name: simSpace, Fingerprint: simLayout, Unit: simUnit, Last: int64(s.w.rows) - 1,
		Window: s.w.window}
	if err := s.mem.Init(background, n, o); err != nil {
		s.w.fail("init: %v", err)
	}
	s.name(n)
}

// name gives the rows that Init has just made nonces that the seed decides, and
// returns their worker ids.
func (s *server) name(n Namespace) (made []store.Row) {
	v, _ := s.mem.View(background, n.Name, n.First, n.Last)
	for _, row := range v.Rows {
		if _, written := s.w.oracle.grants[row.Nonce]; written || s.named[row.Nonce] {
			continue
		}
		s.mem.Edit(n.Name, row.Worker, func(r *store.Row) {
			r.Nonce = store.Nonce{}
			binary.LittleEndian.PutUint64(r.Nonce[:], s.w.Uint64())
			s.named[r.Nonce] = true
		})
		made = append(made, row)
	}
	return made
}

// serve answers a request.
func (s *server) serve(m message) (a reply) {
	s.remember()
	a.rewinds = s.w.oracle.rewinds
	switch ask := m.ask.(type) {
	case lookup:
		from := s.mem
		if len(s.past) > 0 && s.w.chance(s.w.odds.stale) {
			from, a.stale = s.past[s.w.IntN(len(s.past))], true
			s.w.say("%v gets a stale view", m.peer)
		}
		a.view, a.err = from.View(background, ask.namespace, ask.first, ask.last)
	case write:
		a.applied, a.err = s.write(m, ask.Write)
	case raise:
		a.applied, a.err = s.mem.Raise(background, ask.Raise)
		s.w.say("%v's raise: applied %v", m.peer, a)
		s.w.oracle.raised(a.applied, ask.Namespace)
	case quarantine:
		a.err = s.mem.Quarantine(background, ask.namespace, ask.floor)
		s.w.say("%v raises the floor to %v: %v", m.peer, short(ask.floor), a.err)
		if a.err == nil {
			s.w.oracle.quarantined(m.rewinds)
		}
	}
	return a
}

func (s *server) write(m message, write store.Write) (bool, error) {
	before, err := s.mem.View(background, write.Namespace, write.Worker, write.Worker)
	if err != nil {
		return false, err
	}
	ask := write
	if len(before.Rows) > 0 { // else it is refused
		ask = s.w.off.onWrite(s, before, write)
	}
	if s.w.clockless {
		s.told = write.Now
	}
	applied, err := s.mem.Write(background, ask)
	s.told = time.Time{}
	s.w.say("%v's call %d, %s: %v", m.peer, m.call, describe(write),
		answer{applied: applied, err: err})
	if applied {
		s.w.off.onApplied(s, before, write)
		s.latest = later(s.latest, s.now())
		after, _ := s.mem.View(background, write.Namespace, write.Worker, write.Worker)
		s.w.oracle.applied(m.peer, write, before, after)
	}
	return applied, err
}

func describe(w store.Write) string {
	what := "extend"
	if w.Acquire {
		what = "acquire"
	} else if w.Release {
		what = "release"
	}
	return fmt.Sprintf("%s of %v to %v as %.4s expecting %.4s", what, w.Worker, short(w.High),
		w.Nonce.String(), w.Expect)
}

// remember keeps a copy for stale views and for servers that lose writes.
func (s *server) remember() {
	if s.w.IntN(3) > 0 || s.w.odds.stale+s.w.odds.rollback+s.w.odds.rewind == 0 {
		return
	}
	if len(s.past) == 6 {
		s.past = append(s.past[:0], s.past[1:]...)
	}
	s.past = append(s.past, s.mem.Snapshot())
}

// suffer lets the store have a fault, or none. Only a store that never loses a
// write may have its clock set back.
func (s *server) suffer() {
	w, o := s.w, s.w.odds
	hit := func(odds int) bool { return w.chance(20 * odds) } // a twentieth of the steps come here
	if hit(o.storeJump) || hit(o.storeDecade) {
		s.off = w.jump(hit(o.storeDecade))
		s.respectSlack()
		w.say("the store's clock jumps to %v", short(tickAt(s.now())))
		for _, p := range w.processes { // or the time of the whole place does
			if w.IntN(2) == 0 {
				p.off = s.off
			}
		}
	}
	if hit(o.restart) {
		s.restart("keeps all")
	}
	if len(s.past) > 0 && hit(o.rollback) {
		s.mem.Rollback(s.past[w.IntN(len(s.past))])
		s.off += w.duration(-10*time.Second, 10*time.Second)
		s.respectSlack()
		s.restart("lost writes")
	}
	if len(s.past) > 0 && hit(o.rewind) {
		s.mem.Rollback(s.past[w.IntN(len(s.past))])
		s.respectSlack()
		w.say("the store goes back in time, and does not tell")
		w.oracle.rewound()
	}
	if hit(o.down) {
		s.down = w.now + w.duration(0, 15*time.Second)
		w.say("the store is down for %v", s.down-w.now)
	}
	if o.vanish > 0 {
		s.vanish(hit(o.vanish))
	}
	if hit(o.free) {
		w.operate(freeRow)
	}
	if hit(o.quarantine) {
		w.operate(quarantineNow)
	}
	if hit(o.found) {
		w.operate(makeAgain)
	}
}

// respectSlack: where writes may be lost, the clock is at most Slack behind what
// they were granted by.
func (s *server) respectSlack() {
	if !s.loses() {
		return
	}
	least := s.latest.Add(-time.Duration(s.w.slack) * simUnit)
	s.off += max(0, least.Sub(s.now()))
}

// loses: writes that the store acknowledged may be lost, by it or by somebody's hand.
func (s *server) loses() bool { return s.forgets() || s.w.odds.vanish+s.w.odds.found > 0 }

// forgets: it goes back in time, whoever knows.
func (s *server) forgets() bool { return s.w.odds.rollback+s.w.odds.rewind > 0 }

func (s *server) restart(how string) {
	s.incarnation++
	s.w.say("the store is now server %d, which %s", s.incarnation, how)
	s.w.off.onRestart(s)
}

// vanish drops the namespace, or has an operator make a dropped one again.
func (s *server) vanish(drop bool) {
	_, err := s.mem.View(background, simSpace, 0, 0)
	switch {
	case err == nil && drop:
		s.mem.Drop(simSpace)
		s.w.say("the namespace is dropped")
	case err != nil && s.w.IntN(3) == 0:
		s.init(InitOptions{})
		s.w.say("the namespace is made anew")
		s.w.oracle.floorRose()
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
