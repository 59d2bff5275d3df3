package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// server is the store: memstore with a clock of its own, and the faults of a
// server in front of it.
type server struct {
	w           *world
	mem         *memory.Store
	docs        *documents // nil: the store is mem
	incarnation int
	off         time.Duration // its clock's lead over true time
	down        time.Duration // until then
	started     time.Duration // the present incarnation
	past        []*memory.Store
	older       bool // it has gone back to one of these
	// the clock that a write brings with it; zero: there is a better one
	told   time.Time
	latest time.Time // the highest clock that anything was granted by
}

// simLayout is the layout of the place, and otherLayout one that somebody has set by
// mistake: its ids are the same. The oracle looks at worker ids and ticks alone.
const simLayout, otherLayout = "layout", "other"

var discard = slog.New(slog.DiscardHandler)

var background = context.Background()

func newServer(w *world) *server {
	s := &server{w: w, off: w.duration(-time.Second, time.Second)}
	s.mem = memory.NewAt(s.clock)
	if !w.clockless {
		s.mem.Restart("server 0")
	}
	if w.disagree {
		s.mem.Raise(background, w.pool(simLayout), store.Head{}, w.window+w.slack+w.alone+1,
			time.Duration(w.slack+w.alone)*w.unit)
	}
	s.past = append(s.past, s.mem.Snapshot())
	if w.documents {
		s.docs = newDocuments(w)
	}
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

// view is a view that nobody asks for.
func (s *server) view(layout string, first, last int64) store.View {
	v, _ := s.mem.View(background, s.w.pool(layout), first, last)
	return v
}

// serve answers a request.
func (s *server) serve(m message) (a reply) {
	if r, is := m.ask.(request); is {
		return s.docs.serve(r)
	}
	if s.docs != nil {
		return reply{answer: s.docs.direct(m.ask)}
	}
	s.remember()
	switch ask := m.ask.(type) {
	case lookup:
		from := s.mem
		if len(s.past) > 0 && s.w.chance(s.w.odds.stale) {
			from, a.stale = s.past[s.w.IntN(len(s.past))], true
			s.w.say("%v gets a stale view", m.peer)
		}
		a.view, a.err = from.View(background, ask.Pool, ask.first, ask.last)
		a.view.Server, a.view.CreateRate = s.serverName(), s.w.pace
		a.view.Alone = time.Duration(s.w.alone) * s.w.unit
	case askTime:
		a.now = s.now()
		s.w.say("%v is told the time: %v", m.peer, s.w.short(s.w.tickAt(a.now)))
	case creation:
		a.err = s.mem.Create(background, ask.Pool, ask.workers, ask.nonce)
		s.w.say("%v creates %v as %.4x", m.peer, ask.workers, ask.nonce)
		s.w.off.onCreated(s, m.peer, ask)
	case opening:
		s.open(m, ask)
	case store.Write:
		a.applied, a.err = s.write(m, ask)
	case raising:
		a.applied, a.err = s.raise(m, ask)
	case purge:
		if a.kept = s.keep(ask); a.kept != (store.Nonce{}) {
			s.w.say("the store keeps a row that %v deletes", m.peer)
			break
		}
		a.err = s.mem.Delete(background, ask.layout)
		s.w.say("%v deletes all rows of %q", m.peer, ask.layout)
		s.w.oracle.deleted()
	}
	return a
}

// serverName is the incarnation that a view shows, also one of the past.
func (s *server) serverName() string { return s.view(simLayout, 0, -1).Server }

func (s *server) open(m message, o opening) {
	before := s.view(o.Layout, 0, int64(s.w.rows))
	o = s.w.off.onOpen(s, before, o)
	s.mem.Open(background, o.Pool, o.workers, o.created, o.opened)
	s.w.say("%v opens %v of %.4x as %.4x, above %v", m.peer, o.workers, o.created, o.opened.Nonce,
		s.w.short(o.opened.High))
	s.w.oracle.opened(before, s.view(o.Layout, 0, int64(s.w.rows)))
}

func (s *server) raise(m message, r raising) (bool, error) {
	applied, err := s.mem.Raise(background, r.Pool, r.was, r.ahead, r.slack)
	s.w.say("%v's raise of %q: applied %v", m.peer, r.Layout, applied)
	s.w.oracle.raised(applied, r.Layout)
	return applied, err
}

func (s *server) write(m message, write store.Write) (bool, error) {
	before := s.view(write.Layout, write.Worker, write.Worker)
	ask := write
	if len(before.Rows) > 0 { // else it is refused
		ask = s.w.off.onWrite(s, before, write)
	}
	if s.w.clockless {
		s.told = m.shown
	}
	applied, err := s.mem.Write(background, ask)
	s.told = time.Time{}
	s.w.say("%v's call %d, %s: %v", m.peer, m.call, s.w.describe(write),
		answer{applied: applied, err: err})
	if applied {
		s.w.off.onApplied(s, before, write)
		s.latest = later(s.latest, s.now())
		after := s.view(write.Layout, write.Worker, write.Worker)
		s.w.oracle.applied(m.peer, write, before, after)
	}
	return applied, err
}

func (w *world) describe(write store.Write) string {
	what := "extend"
	if write.Acquire {
		what = "acquire"
	} else if write.Release {
		what = "release"
	}
	return fmt.Sprintf("%s of %v to %v as %.4x expecting %.4x", what, write.Worker,
		w.short(write.High), write.Nonce, write.Expect)
}

// remember keeps a copy for stale views and for servers that lose writes.
func (s *server) remember() {
	if s.w.IntN(3) > 0 || s.w.odds.stale+s.w.odds.rollback+s.w.odds.rewind == 0 {
		return
	}
	if len(s.past) == 6 {
		keep := s.w.IntN(2) // now and then the store before its first row stays
		s.past = append(s.past[:keep], s.past[keep+1:]...)
	}
	s.past = append(s.past, s.mem.Snapshot())
}

// suffer lets the store have a fault, or none. Only a store that never loses a
// write may have its clock set back.
func (s *server) suffer() {
	w, o := s.w, s.w.odds
	hit := func(odds int) bool { return w.chance(20 * odds) } // a twentieth of the steps come here
	// An operator corrects the clock before he types a command.
	if (hit(o.storeJump) || hit(o.storeDecade)) && w.operators == 0 {
		s.off = w.jump(hit(o.storeDecade))
		s.respectSlack()
		w.say("the store's clock jumps to %v", w.short(w.tickAt(s.now())))
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
		s.goBack()
		s.off += w.duration(-10*time.Second, 10*time.Second)
		s.respectSlack()
		s.restart("lost writes")
		if w.odds.remove > 0 && !w.disagree && w.IntN(4) == 0 {
			s.mem.DeleteHead(simLayout)
			w.say("and somebody deletes the head")
		}
	}
	if len(s.past) > 0 && hit(o.rewind) {
		s.goBack()
		s.respectSlack()
		w.say("the store goes back in time, and does not tell")
		w.oracle.rewound()
	}
	if hit(o.restore) && w.operators == 0 && len(s.docs.past) > 0 {
		s.docs.restore()
	}
	if hit(o.down) {
		s.down = w.now + w.duration(0, 15*time.Second)
		w.say("the store is down for %v", s.down-w.now)
	}
	if hit(o.free) {
		w.operate(freeRow)
	}
	if hit(o.remove) {
		w.operate(remove)
	}
	if hit(o.quarantine) {
		w.operate(quarantine)
	}
}

// keep deletes all rows of a layout but one, now and then, and returns that one's nonce.
func (s *server) keep(q purge) (kept store.Nonce) {
	if s.w.off != keptRow && s.w.off != believeGone || q.layout == otherLayout || s.w.IntN(2) == 0 {
		return kept
	}
	one := s.w.Int64N(int64(s.w.rows))
	if rows := s.view(simLayout, one, one).Rows; len(rows) > 0 {
		kept = rows[0].Nonce
		for id := range int64(s.w.rows) {
			s.mem.Edit(simLayout, id, func(*store.Row) bool { return id == one })
			if q.layout == "" {
				s.mem.Edit(otherLayout, id, func(*store.Row) bool { return false })
			}
		}
	}
	return kept
}

func (s *server) goBack() {
	clear(s.w.oracle.stays) // it may bring back what was deleted
	s.mem.Rollback(s.past[s.w.IntN(len(s.past))])
	s.older = true
}

// respectSlack: where rows or writes may be lost, the clock is at most Slack behind what
// they were granted by, and what an old server granted alone besides.
func (s *server) respectSlack() {
	if !s.loses() {
		return
	}
	least := s.latest.Add(-time.Duration(s.w.slack+s.w.alone) * s.w.unit)
	s.off += max(0, least.Sub(s.now()))
}

// loses: writes that the store acknowledged may be lost, by it or by somebody's hand. A
// process with another layout deletes rows, too, and so does one that takes a view of the
// past for a rollback.
func (s *server) loses() bool {
	o := s.w.odds
	return o.rollback+o.rewind+o.remove+o.layout+o.stale > 0
}

func (s *server) restart(how string) {
	s.incarnation++
	s.w.say("the store is now server %d, which %s", s.incarnation, how)
	if !s.w.clockless {
		s.w.off.onRestart(s)
	}
}
