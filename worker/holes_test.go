package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Each hole that a lease can have, and a schedule that would fall into it.

// A sleeper must not extend a grant under a floor that it has not seen.
func TestScheduleFloorUnseen(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	a := l.actor("A").acquire()
	a.mint(130)
	before := l.mem.Snapshot()

	l.tick = 195 // A sleeps, its lease has expired
	b := l.actor("B").acquire()
	_, hi := b.grants()
	require.Equal(t, int64(255), hi)
	b.mint(200)

	l.mem.Rollback(before) // fail-over: B's write is lost
	l.mem.Restart("second")
	c := l.actor("C")
	_, err := c.readRow()
	require.NoError(t, err)
	floor := rel(l.view(0, 0).Floor)
	require.Equal(t, int64(195+60+5+1), floor)

	// A wakes with a view from before, and the row's nonce is still its own.
	stale := store.View{Pool: schedulePool, Server: "first", Now: l.now(), Rows: l.view(0, 0).Rows}
	stale.Epoch, stale.Floor = "first", scheduleStart.Unix()
	require.NoError(t, a.see(stale))
	w, due := a.due(stale, a.last, true, a.claim.nonce())
	require.True(t, due)
	assert.False(t, a.send(w), "it extends under a floor that it does not know")
	a.mint(1000)
	assert.Equal(t, int64(160), rel(a.last), "what was granted is used up, and no more")

	l.tick = 202 // now it reads, and goes on above the floor
	require.True(t, a.extend())
	a.mint(1000)
	lo, _ := a.grants()
	assert.Equal(t, floor, lo)
	b.mint(1000)
}

func TestHoleUnknownOutcomeOfAnExtension(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 40
	w := a.ask()
	require.True(t, l.arrive(w))
	a.timeout(w)
	_, hi := a.grants()
	assert.Equal(t, int64(60), hi, "a timeout grants nothing")
	_, err := a.readRow()
	require.NoError(t, err)
	_, hi = a.grants()
	assert.Equal(t, int64(100), hi, "the row says that it was applied")
}

func TestHoleTwoUnknownOutcomes(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 40
	first := a.ask()
	a.timeout(first)
	l.tick = 50
	second := a.ask()
	a.timeout(second)
	require.True(t, l.arrive(first), "late")
	_, err := a.readRow()
	require.NoError(t, err)
	assert.NoError(t, a.lost, "the older of two unknown writes is one's own, too")
	require.True(t, l.arrive(second), "later")
	require.True(t, a.extend())
	a.mint(1000)
	assert.Equal(t, int64(110), rel(a.last))
}

func TestHoleOldExtensionLandsLate(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.tick = 40
	late := a.ask()
	a.timeout(late)
	l.tick = 91
	b := l.actor("B").acquire()
	lo, _ := b.grants()
	assert.Equal(t, int64(61), lo)
	b.mint(1000)
	assert.False(t, l.arrive(late), "its nonce is dead")
	a.mint(1000)
}

func TestHoleExtensionBelowHigh(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	a := l.actor("A").acquire()
	w := a.ask()
	w.High -= 50
	require.True(t, a.send(w))
	assert.Equal(t, int64(160), rel(l.row().High))
	assert.Equal(t, int64(160), a.lastGranted())
}

func (h *actor) lastGranted() int64 { _, hi := h.grants(); return hi }

func TestHoleRepeatedWrite(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A")
	w := a.choose()
	require.True(t, l.arrive(w))
	require.False(t, a.send(w), "a proxy sent it again and brings the second answer")
	_, err := a.readRow()
	require.NoError(t, err)
	assert.Equal(t, int64(60), a.lastGranted(), "the row shows that the first was applied")
	assert.NoError(t, a.lost)
}

func TestHoleStaleView(t *testing.T) {
	l := newSchedule(t, 1)
	stale := l.view(0, 0)
	a := l.actor("A").acquire()
	l.tick = 40
	require.True(t, a.extend())

	b := l.actor("B")
	w, err := b.taking(b.claim, stale)
	require.NoError(t, err)
	assert.False(t, b.send(w), "what builds on an old view misses")

	require.NoError(t, a.see(stale))
	assert.NoError(t, a.lost, "an old view does not fence: a write that misses does")
	w, due := a.due(stale, noTick, false, a.claim.nonce())
	require.True(t, due, "it asks the store")
	assert.True(t, a.send(w))
}

func TestHoleRestoredBackup(t *testing.T) {
	l := newSchedule(t, 1)
	backup := l.mem.Snapshot()
	a := l.actor("A").acquire()
	a.mint(1000)

	l.tick = 20 // restored in place: no incarnation tells
	l.mem.Rollback(backup)
	require.NoError(t, l.mem.Delete(t.Context(), schedulePool.Layout))
	l.open()
	l.tick = 30
	b := l.actor("B").acquire()
	b.mint(1000)
	lo, _ := b.grants()
	assert.Equal(t, int64(20+60+5+1), lo)
	assert.Equal(t, int64(90), rel(b.last))
}

func TestHoleHighLoweredByHandIsAnAlarm(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	l.edit(0, func(r *store.Row) { r.High -= 30 })
	_, alarm := a.readRow()
	assert.ErrorContains(t, alarm, "quarantine")
	w, due := a.due(l.view(0, 0), noTick, true, a.claim.nonce())
	require.True(t, due)
	require.True(t, a.send(w))
	assert.Equal(t, int64(60), rel(l.row().High), "and healed")
}

// open creates the row of worker id 0, and opens it by the store's present time.
func (s *schedule) open() {
	now, err := s.mem.Now(s.Context())
	require.NoError(s, err)
	openRows(s.T, s.mem, schedulePool, 1, schedulePool.Opening(now, 5*time.Second))
}

func TestHoleRowMadeAnew(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	a := l.actor("A").acquire()
	a.mint(160)
	require.NoError(t, l.mem.Delete(t.Context(), ""))
	l.open()
	a.mint(1000) // its grant is still its own
	assert.False(t, a.send(mustDue(a)))

	l.tick = 110
	b := l.actor("B").acquire()
	lo, _ := b.grants()
	assert.Equal(t, int64(100+60+5+1), lo, "above whatever the lost one granted")
	b.mint(1000)
}

// mustDue is what a wants to write, seen from a view of before.
func mustDue(h *actor) store.Write {
	w, due := h.due(h.view(0, 0), noTick, true, h.claim.nonce())
	require.True(h, due)
	return w
}

func TestHoleFastClockPoisonsARow(t *testing.T) {
	l := newSchedule(t, 2)
	a := l.actor("A")
	v := l.view(0, 1)
	v.Now = v.Now.AddDate(10, 0, 0)
	w, err := a.taking(a.claim, v)
	require.NoError(t, err)
	assert.False(t, a.send(w), "the store's clock decides how far a grant reaches")

	l.edit(0, func(r *store.Row) { r.High += 1e8 })
	b := l.actor("B").acquire()
	assert.Equal(t, int64(1), b.worker, "a poisoned row is passed over")
	_, err = l.actor("C").taking(a.claim, l.view(0, 1))
	assert.ErrorIs(t, err, ErrAllHeld)
}

func TestHoleCrashLoop(t *testing.T) {
	l := newSchedule(t, 1)
	starts := 0
	for ; starts < 100; starts++ {
		l.edit(0, func(r *store.Row) { r.Held = false })
		a := l.actor("crasher")
		w, err := a.taking(a.claim, l.view(0, 0))
		if err != nil {
			break
		}
		require.True(t, a.send(w))
	}
	assert.Equal(t, 1, starts, "the first one has the window, the next waits for the clock")
	assert.LessOrEqual(t, rel(l.row().High), int64(60))
}

func TestHoleOneRowForEachGenerator(t *testing.T) {
	l := newSchedule(t, 2)
	a, b := l.actor("same owner").acquire(), l.actor("same owner").acquire()
	assert.NotEqual(t, a.worker, b.worker)
}

func TestHoleStoreClockStepsBack(t *testing.T) {
	l := newSchedule(t, 1)
	l.tick = 100
	a := l.actor("A").acquire()
	l.tick = 20
	assert.False(t, a.extend(), "a write that reaches too far for the new clock")
	assert.Equal(t, int64(160), rel(l.row().High))
	a.mint(1000)
	_, err := a.readRow()
	require.NoError(t, err)
	assert.NoError(t, a.lost, "a stall, and no fence")
	l.tick = 150
	require.True(t, a.extend())
	a.mint(1000)
	assert.Equal(t, int64(210), rel(a.last))
}

func TestHoleForcedSteal(t *testing.T) {
	l := newSchedule(t, 1)
	a := l.actor("A").acquire()
	a.mint(30)
	b := l.actor("B")
	v := l.view(0, 0)
	v.Rows[0].Held = false
	l.tick = 10
	v.Now = l.now()
	w, err := b.taking(b.claim, v)
	require.NoError(t, err)
	w.Acquire = false // whoever holds it
	require.True(t, b.send(w))
	b.mint(1000)
	a.mint(1000)
}
