package worker

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// schedule is a store whose clock stands at a tick, and actors that call it one step at a
// time. Ticks count from scheduleStart, a tick is a second and a window 60 of them.
type schedule struct {
	*testing.T
	mem   *memory.Store
	tick  int64
	ticks map[minting]string
}

var scheduleStart = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

var schedulePool = store.Pool{Layout: "schedule", Unit: time.Second}

func newSchedule(t *testing.T, ids int64) *schedule {
	s := &schedule{T: t, ticks: map[minting]string{}}
	s.mem = memory.NewAt(s.now)
	s.mem.Restart("first")
	_, err := s.mem.Raise(t.Context(), schedulePool, store.Head{}, 0, grants.DefaultSlack)
	require.NoError(t, err)
	openRows(t, s.mem, schedulePool, ids, scheduleStart.Unix()-1)
	return s
}

// raise begins a new epoch, if the server is another one.
func (s *schedule) raise() {
	v := s.view(0, -1)
	ahead := grants.Ahead(schedulePool, 5*time.Second) + 1
	_, err := s.mem.Raise(s.Context(), schedulePool, v.Head, ahead, grants.DefaultSlack)
	require.NoError(s, err)
}

func (s *schedule) now() time.Time { return scheduleStart.Add(time.Duration(s.tick) * time.Second) }

func (s *schedule) view(first, last int64) store.View {
	v, err := s.mem.View(s.Context(), schedulePool, first, last)
	require.NoError(s, err)
	return v
}

// rel is a tick as the schedule counts.
func rel(tick int64) int64 { return tick - scheduleStart.Unix() }

// actor is a holder that does what a test says.
type actor struct {
	*schedule
	*holder
	name  string
	claim Claim
	last  int64
}

func (s *schedule) actor(name string) *actor {
	c := Claim{Owner: name, TTL: 90 * time.Second,
		Logger: slog.New(slog.DiscardHandler)}
	c = c.rigged(s.now, func() time.Duration { return s.now().Sub(scheduleStart) }, rand.Reader)
	return &actor{s, &holder{}, name, c, noTick}
}

// copy is the same process, on a copy of its machine.
func (h *actor) copy(name string) *actor {
	clone := h.holder.clone()
	return &actor{h.schedule, &clone, name, h.claim, h.last}
}

// acquire takes a row over.
func (h *actor) acquire() *actor {
	holder, w, err := h.claim.take(h.schedule.view(0, mostWorkerIDs))
	require.NoError(h, err)
	h.holder = holder
	require.True(h, w.Acquire, "refused if another holds it")
	require.True(h, h.send(w), "%s acquires", h.name)
	return h
}

// readRow reads the row, and notices when the server is another one.
func (h *actor) readRow() store.View {
	v := h.schedule.view(h.worker, h.worker)
	if v.Server != v.Epoch {
		h.raise()
		v = h.schedule.view(h.worker, h.worker)
	}
	h.see(v)
	return v
}

// ask prepares a write for more.
func (h *actor) ask() store.Write {
	h.readRow()
	return h.renew(h.claim.nonce(), h.schedule.now())
}

// send lets a write arrive, and its answer too.
func (h *actor) send(w store.Write) bool {
	applied, err := h.mem.Write(h.Context(), w)
	h.wrote(applied, err)
	return applied
}

// arrive lets a write arrive alone: its answer gets lost, or is long forgotten.
func (s *schedule) arrive(w store.Write) bool {
	applied, err := s.mem.Write(s.Context(), w)
	require.NoError(s, err)
	return applied
}

// extend asks for more and gets it, or not.
func (h *actor) extend() bool { return h.send(h.ask()) }

// timeout is a call whose answer did not come in time.
func (h *actor) timeout() { h.wrote(false, context.DeadlineExceeded) }

// mint mints whatever is granted up to a tick, and finds it minted by nobody else.
func (h *actor) mint(until int64) {
	for {
		lo, hi := h.grant(max(h.last+1, 0))
		tick := max(lo, h.last+1)
		if tick > hi || rel(tick) > until {
			return
		}
		by, twice := h.ticks[minting{h.worker, tick}]
		assert.False(h, twice, "%s mints %d, and %s did", h.name, rel(tick), by)
		h.ticks[minting{h.worker, tick}] = h.name
		h.last = tick
	}
}

// free gives the row back.
func (h *actor) free() bool {
	h.readRow()
	return h.send(h.release(h.last, h.claim.nonce()))
}
