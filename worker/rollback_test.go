package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// backup makes a copy of the store, and restore puts it back in place.
func (s *env) backup() (restore func()) {
	copy := s.Snapshot()
	return func() { s.Rollback(copy) }
}

// A backup is restored beside live holders, one of whose ids is free in it.
func TestARestoredBackupIsNoticed(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		a := Leased(s.network(), s.claim)
		restore := s.backup()
		l := assign(t, a)
		s.work(l, 20*time.Second)
		_, granted := l.Grant()
		restore()
		s.work(l, 13*time.Second)

		require.ErrorIs(t, l.Err(), ErrRolledBack)
		assert.ErrorIs(t, l.Err(), ErrFenced, "what is left must not be handed out")
		assert.ErrorContains(t, l.Err(), "went back in time")
		assert.ErrorContains(t, l.Err(), "quarantine")
		assert.NotContains(t, l.Err().Error(), "held by")
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi)
		errors := s.log.lines(slog.LevelError)
		require.Len(t, errors, 1)
		assert.Contains(t, errors[0], "went back in time")
		warned := s.log.lines(slog.LevelWarn)
		require.Len(t, warned, 1)
		assert.Contains(t, warned[0], "deleted the layout's rows")

		v, err := s.View(t.Context(), need.pool(), 0, 1)
		require.NoError(t, err)
		assert.Empty(t, v.Rows)
		s.claim.ExistingOnly = false
		lo, _ = s.lease().Grant()
		assert.Greater(t, lo, granted+5, "above all that was granted, and the slack")
	})
}

// As long as the rows cannot be deleted, who noticed takes no worker id.
func TestNoWorkerIdIsTakenBeforeTheRowsAreDeleted(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		var allowed atomic.Bool
		s.claim.ExistingOnly = false
		network := through(func(ctx context.Context, call any) answer {
			if _, deletes := call.(purge); deletes && !allowed.Load() {
				return answer{err: errPermission}
			}
			return ask(ctx, s.Store, call)
		})
		a := Leased(network, s.claim)
		restore := s.backup()
		l := assign(t, a)
		s.work(l, 20*time.Second)
		_, granted := l.Grant()
		restore()
		s.work(l, 10*time.Minute)
		require.ErrorIs(t, l.Err(), ErrRolledBack)
		for range 3 {
			_, err := a.Assign(t.Context(), need)
			require.ErrorIs(t, err, ErrRolledBack)
			require.ErrorIs(t, err, errPermission)
		}
		assert.Len(t, s.log.lines(slog.LevelError), 1, "that it went back")
		retries := s.log.lines(slog.LevelWarn)
		require.NotEmpty(t, retries)
		assert.Contains(t, retries[0], "the rows of the layout have to be deleted")

		_, err := Quarantine(t.Context(), s.Store, QuarantineOptions{})
		require.NoError(t, err)
		restarted := assign(t, Leased(network, s.claim))
		allowed.Store(true)
		next := assign(t, a)
		s.leases = append(s.leases, restarted, next, l)
		for _, l := range []Lease{restarted, next} {
			lo, _ := l.Grant()
			assert.Greater(t, lo, granted)
		}
	})
}

// A fail-over that loses writes is none of it: there the floor is raised with the
// epoch, before anybody writes.
func TestAFailOverThatLosesWritesIsNoRestore(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		restore := s.backup()
		l := s.lease()
		s.work(l, 20*time.Second)
		restore()
		s.Restart("another")
		s.work(l, time.Minute)
		require.ErrorIs(t, l.Err(), ErrDeleted)
		assert.NotErrorIs(t, l.Err(), ErrRolledBack)
		assert.ErrorContains(t, l.Err(), "lost in a fail-over")
	})
}

// The answer to a write that was under way when the machine was copied may reach both copies:
// it proves nothing to one that was told, since the other may give the row back below it.
func TestAWriteUnderWayAtARestoreIsNoProof(t *testing.T) {
	h := holder{view: store.View{Pool: need.pool(), Now: time.Unix(0, 0)}}
	h.renew(store.Nonce{1}, h.view.Now)
	h.restore()
	h.wrote(true, nil)
	_, sure := h.leastHigh()
	assert.False(t, sure)
}

// A row that shows less than was acknowledged proves that the store went back, unless the floor
// of a new epoch lies above all of that.
func TestWhatARowProvesThatShowsLess(t *testing.T) {
	const acked = 100
	for name, c := range map[string]struct {
		epoch   string
		floor   int64
		copied  int64 // how often the machine was since
		unknown store.Write
		row     store.Row
		proof   bool
	}{
		"in the same epoch":        {row: store.Row{Open: true, High: 99}, proof: true},
		"as much":                  {row: store.Row{Open: true, High: 100}},
		"a new row":                {row: store.Row{}},
		"as a copy may release it": {copied: 1, row: store.Row{Open: true, High: 99}},
		"below the floor that was": {floor: 101, row: store.Row{Open: true, High: 99}, proof: true},
		"below a new floor":        {epoch: "2", floor: 101, row: store.Row{Open: true}},
		"a new floor at what was granted": {epoch: "2", floor: 100, row: store.Row{Open: true, High: 99},
			proof: true},
		"after a renewal that asked for less": {unknown: store.Write{High: 90},
			row: store.Row{Open: true, High: 95}, proof: true},
		"after a release that may have been applied": {unknown: store.Write{High: 90, Release: true},
			row: store.Row{Open: true, High: 95}},
		"after a release at what was asked for": {unknown: store.Write{High: 120, Release: true},
			row: store.Row{Open: true, High: 110}},
	} {
		h := holder{acked: acked, missed: true, unknown: []sent{{Write: c.unknown}}, restores: c.copied}
		h.latest.Nonce, h.unknown[0].Nonce, c.row.Nonce = store.Nonce{1}, store.Nonce{2}, store.Nonce{3}
		lost := ErrDeleted // and made again
		if c.row.Open {
			lost, c.row.Renewed = ErrFenced, time.Unix(0, 0)
		}
		h.see(store.View{Pool: need.pool(), Head: store.Head{Epoch: c.epoch, Floor: c.floor},
			Rows: []store.Row{c.row}})
		require.ErrorIs(t, h.lost, lost, name)
		assert.Equal(t, c.proof, errors.Is(h.lost, ErrRolledBack), name)
	}
}

// A view may be older than the process's own writes. It takes two such views, and between them a
// write that was refused, to prove that the row is another's.
func TestAnOldViewIsNoProof(t *testing.T) {
	old := store.View{Pool: need.pool(), Rows: []store.Row{{Nonce: store.Nonce{9}, Open: true}}}
	for what, c := range map[string]struct {
		doubt, applied bool
		err            error
		lost           bool
	}{
		"refused after an old view": {doubt: true, lost: true},
		"refused after a true view": {},
		"applied after an old view": {doubt: true, applied: true},
		"not answered":              {doubt: true, err: errDown},
	} {
		h := holder{view: old, doubt: c.doubt}
		h.renew(store.Nonce{1}, time.Unix(0, 0))
		h.wrote(c.applied, c.err)
		h.see(old)
		assert.Equal(t, c.lost, h.lost != nil, what)
	}
}

// A view of one's own last write ends all doubt, also if that is a release whose answer was lost:
// High is lower by itself.
func TestATrueViewEndsTheDoubt(t *testing.T) {
	v := store.View{Pool: need.pool(), Now: time.Unix(100, 0)}
	h := holder{view: v, acked: 100}
	w := h.release(10, store.Nonce{1})
	h.wrote(false, errDown)
	h.doubt, h.missed = true, true
	v.Rows = []store.Row{{Nonce: w.Nonce, Open: true, High: w.High}}
	h.see(v)
	require.NoError(t, h.lost)
	assert.False(t, h.doubt || h.missed)
}

// Of the writes without an answer, the last ones are remembered.
func TestAnOutageFillsNoMemory(t *testing.T) {
	h := holder{view: store.View{Pool: need.pool(), Now: time.Unix(0, 0)}}
	for n := range byte(5 * maxUnknown) {
		w := h.renew(store.Nonce{n}, h.view.Now)
		h.wrote(false, errDown)
		assert.Equal(t, n > 0, len(w.Expect) == 2 && w.Expect[1] == store.Nonce{n - 1}, "the last")
	}
	require.Len(t, h.unknown, maxUnknown)
	assert.Equal(t, store.Nonce{4 * maxUnknown}, h.unknown[0].Nonce)
}
