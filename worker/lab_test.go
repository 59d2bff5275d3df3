package worker

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// lab is where schedules are played by hand: a store whose clock stands at a tick,
// and holders that call it one step at a time. Ticks count from an hour that is
// labStart, a tick is a second and a window 60 of them.
type lab struct {
	*testing.T
	mem   *memstore.Store
	tick  int64
	ticks map[minting]string
}

var labStart = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

const labSpace = "lab"

func newLab(t *testing.T, ids int64) *lab {
	l := &lab{T: t, ticks: map[minting]string{}}
	l.mem = memstore.NewAt(l.now)
	l.mem.Restart("first")
	l.init(ids, true)
	return l
}

func (l *lab) init(ids int64, fresh bool) {
	n := Namespace{Name: labSpace, Fingerprint: "lab", Unit: time.Second, Last: ids - 1, Window: 60}
	require.NoError(l, l.mem.Init(l.Context(), n, InitOptions{Fresh: fresh, Slack: 5 * time.Second}))
}

func (l *lab) now() time.Time { return labStart.Add(time.Duration(l.tick) * time.Second) }

// row is the only row of most labs.
func (l *lab) row() store.Row { return l.view(0, 0).Rows[0] }

func (l *lab) view(first, last int64) store.View {
	v, err := l.mem.View(l.Context(), labSpace, first, last)
	require.NoError(l, err)
	return v
}

// rel is a tick as the lab counts.
func rel(tick int64) int64 { return tick - labStart.Unix() }

// hand is a holder that is led by the hand.
type hand struct {
	*lab
	*Holder
	name  string
	claim Claim
	last  int64
}

func (l *lab) hand(name string) *hand {
	c := Claim{Namespace: labSpace, Owner: name, TTL: 90 * time.Second, Logger: slog.New(slog.DiscardHandler)}
	c = c.Rigged(l.now, func() time.Duration { return l.now().Sub(labStart) }, rand.Reader)
	return &hand{l, NewHolder(c), name, c, noTick}
}

// copy is the same process, on a copy of its machine.
func (h *hand) copy(name string) *hand {
	return &hand{h.lab, h.Clone(), name, h.claim, h.last}
}

func (h *hand) choose() store.Write {
	w, err := h.Choose(h.claim, h.view(0, store.MaxRows))
	require.NoError(h, err)
	return w
}

// acquire takes a row over.
func (h *hand) acquire() *hand {
	require.True(h, h.send(h.choose()), "%s acquires", h.name)
	return h
}

// look reads the row; it notices that the server is another one.
func (h *hand) look() (store.View, error) {
	v := h.view(h.Worker(), h.Worker())
	if r, other := RaiseFor(h.claim, v); other {
		_, err := h.mem.Raise(h.Context(), r)
		require.NoError(h, err)
		v = h.view(h.Worker(), h.Worker())
	}
	return v, h.See(v)
}

// ask prepares a write for more.
func (h *hand) ask() store.Write {
	v, alarm := h.look()
	require.NoError(h, alarm)
	w, due := h.Due(v, noTick, true, h.claim.NewNonce())
	require.True(h, due)
	return w
}

// send lets a write arrive, and its answer too.
func (h *hand) send(w store.Write) bool {
	applied, err := h.mem.Write(h.Context(), w)
	h.Wrote(w, applied, err)
	return applied
}

// arrive lets a write arrive alone: its answer gets lost, or is long forgotten.
func (l *lab) arrive(w store.Write) bool {
	applied, err := l.mem.Write(l.Context(), w)
	require.NoError(l, err)
	return applied
}

// extend asks for more and gets it, or not.
func (h *hand) extend() bool { return h.send(h.ask()) }

// timeout is a call whose answer did not come in time.
func (h *hand) timeout(w store.Write) { h.Wrote(w, false, context.DeadlineExceeded) }

// mint mints whatever is granted up to a tick, and finds it minted by nobody else.
func (h *hand) mint(until int64) {
	for {
		h.Want(max(h.last+1, 0))
		lo, hi := h.Grant()
		tick := max(lo, h.last+1)
		if tick > hi || rel(tick) > until {
			return
		}
		by, twice := h.ticks[minting{h.Worker(), tick}]
		assert.False(h, twice, "%s mints %d, and %s did", h.name, rel(tick), by)
		h.ticks[minting{h.Worker(), tick}] = h.name
		h.last = tick
	}
}

// free gives the row back.
func (h *hand) free() bool {
	v, _ := h.look()
	return h.send(h.Release(v, h.last, h.claim.NewNonce()))
}

func (h *hand) grants() (lo, hi int64) {
	lo, hi = h.Grant()
	return rel(lo), rel(hi)
}
