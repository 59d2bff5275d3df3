package worker

import (
	"context"
	"log/slog"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

func TestOneWritePerHalfWindow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		start := nowTick()
		lo, hi := l.Grant()
		assert.Equal(t, []int64{start, start + 60}, []int64{lo, hi})
		assert.Equal(t, Fenced, l.Class())
		for range 3600 {
			s.work(l, time.Second)
			lo, hi := l.Grant()
			assert.Equal(t, start, lo)
			assert.GreaterOrEqual(t, hi-nowTick(), int64(28), "at %d s", nowTick()-start)
		}
		assert.InDelta(t, 120, s.written(), 2, "writes in an hour, with a window of a minute")
		assert.NoError(t, l.Err())
	})
}

func TestABurstDoesNotWriteForEachTick(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		for range 6000 { // ten minutes; each tick that is granted is minted at once
			_, hi := l.Grant()
			l.Want(hi + 1)
			time.Sleep(100 * time.Millisecond)
		}
		assert.LessOrEqual(t, s.written(), 610, "one for each tick of a second at most")
	})
}

// A floor may be thousands of years ahead: milliseconds were taken for seconds, say. Until
// then there is nothing to ask for but a heartbeat. The nanoseconds until then wrap to a
// positive number on some days, and to a negative one on others.
func TestAFloorFarAheadIsNotAskedForAllTheTime(t *testing.T) {
	wraps := map[bool]bool{}
	for _, now := range []time.Time{
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC),
	} {
		p, floor := need.pool(), now.UnixMilli()
		wraps[(floor-p.TickAt(now)-p.Window())*int64(p.Unit) < 0] = true

		at := moment{wall: now, mono: time.Hour}
		used := holder{pool: p, floor: floor, acked: p.TickAt(now) - 1}
		k := newKeeper(at, Claim{}.withDefaults(), used, store.View{Pool: p, Floor: floor, Now: now})
		next := k.step(at, answer{})
		assert.Nil(t, next.call, "at %v", now)
		assert.Equal(t, k.c.TTL/3, next.wait, "at %v", now)
	}
	assert.Len(t, wraps, 2, "one date of each kind")
}

func TestAClockAheadForAMomentIsForgotten(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		l.Want(nowTick() + 1e9)
		s.work(l, time.Minute)
		s.set(func(f *flaky) { f.writes = 0 })
		s.work(l, time.Hour)
		assert.InDelta(t, 120, s.written(), 2, "writes in an hour, long after")
	})
}

func TestAnIdleHolderKeepsItsRow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.InDelta(t, 120, s.written(), 2, "a sign of life every 30 s")
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), need)
		assert.ErrorIs(t, err, ErrAllHeld)
		assert.NoError(t, l.Err())
	})
}

func TestAStoreThatIsDownLongerThanTheWindow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.work(l, 5*time.Second)
		_, before := l.Grant()
		s.set(func(f *flaky) { f.down = true })
		s.work(l, 10*time.Minute)
		_, hi := l.Grant()
		assert.Equal(t, before, hi, "what was granted, and no more")
		assert.NoError(t, l.Err(), "a store that is down is no reason to give up")

		changed := l.Changed()
		s.set(func(f *flaky) { f.down = false })
		s.work(l, 5*time.Second)
		<-changed
		lo, hi := l.Grant()
		assert.LessOrEqual(t, lo, nowTick())
		assert.Greater(t, hi, nowTick()+30)
		assert.Len(t, s.log.lines(slog.LevelWarn), 1, "one warning: %v", s.log.lines(slog.LevelWarn))
		assert.Len(t, s.log.lines(slog.LevelInfo), 2, "leased, and renewed again")
		assert.Empty(t, s.log.lines(slog.LevelError))
	})
}

func TestAnAnswerThatGetsLost(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.set(func(f *flaky) { f.backoff = true })
		s.work(l, 20*time.Minute)
		lo, hi := l.Grant()
		assert.Greater(t, hi, nowTick(), "the next view shows what was applied")
		assert.Less(t, lo, nowTick())
		assert.NoError(t, l.Err())
		s.set(func(f *flaky) { f.backoff = false })
		s.work(l, time.Minute)
		assert.NoError(t, l.Err())
	})
}

func TestAWriteThatArrivesTwice(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.set(func(f *flaky) { f.repeated = true })
		l := s.lease()
		s.work(l, 20*time.Minute)
		_, hi := l.Grant()
		assert.Greater(t, hi, nowTick())
		assert.NoError(t, l.Err(), "the row is its own")
		last := nowTick()
		require.NoError(t, l.Release(t.Context(), last))
		assert.Equal(t, last, s.row(0).High)
	})
}

func TestFencedByAnother(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		changed := l.Changed()
		s.steal(0)
		s.work(l, time.Minute)
		<-changed
		assert.ErrorIs(t, l.Err(), ErrFenced)
		assert.ErrorContains(t, l.Err(), "thief")
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi, "nothing may be minted")
		assert.Len(t, s.log.lines(slog.LevelError), 1)
		nonce := s.row(0).Nonce
		require.NoError(t, l.Release(t.Context(), nowTick()), "there is nothing to give back")
		assert.Equal(t, nonce, s.row(0).Nonce)
		assert.ErrorIs(t, l.Err(), ErrFenced, "that stays the reason")
	})
}

func TestAnotherServer(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.work(l, 10*time.Second)
		_, old := l.Grant()
		s.failOver()
		time.Sleep(90 * time.Second) // idle: nothing is wanted yet
		synctest.Wait()
		v, err := s.Store.View(t.Context(), need.pool(), 0, 0)
		require.NoError(t, err)
		assert.Equal(t, "another", v.Epoch)
		_, hi := l.Grant()
		assert.Equal(t, old, hi, "older grants stay valid")
		l.Want(old + 1)
		synctest.Wait()
		lo, hi := l.Grant()
		assert.GreaterOrEqual(t, lo, v.Floor)
		assert.Greater(t, hi, lo)
		assert.NoError(t, l.Err())
		assert.Len(t, s.log.lines(slog.LevelWarn), 1)
	})
}

// What was granted above a raised floor is there in an outage, whatever the keeper does.
func TestALaterSpanIsShownInAnOutage(t *testing.T) {
	for name, fault := range map[string]func(*flaky){
		"refused": func(f *flaky) { f.down = true },
		"hangs":   func(f *flaky) { f.lossy = 100 },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, s *env) {
				l := s.lease()
				s.work(l, 10*time.Second)
				_, old := l.Grant()
				s.failOver()
				time.Sleep(90 * time.Second)
				synctest.Wait()
				v, err := s.Store.View(t.Context(), need.pool(), 0, 0)
				require.NoError(t, err)
				require.Greater(t, v.Rows[0].High, v.Floor, "the floor is raised, and more is granted")
				s.set(fault)
				defer s.set(func(f *flaky) { f.lossy = 0 })
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				changed := l.Changed()
				l.Want(old + 1)
				lo, hi := l.Grant()
				assert.GreaterOrEqual(t, lo, v.Floor)
				assert.Equal(t, v.Rows[0].High, hi)
				<-changed
			})
		})
	}
}

func TestADeletedRow(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		_, before := l.Grant()
		require.NoError(t, s.Delete(t.Context(), need.Fingerprint))
		s.work(l, 10*time.Minute)
		assert.ErrorIs(t, l.Err(), ErrDeleted)
		assert.NotErrorIs(t, l.Err(), ErrFenced)
		_, hi := l.Grant()
		assert.Equal(t, before, hi, "what was granted may be used up")
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), need)
		assert.ErrorIs(t, err, ErrAllHeld, "it may create none")
		assert.ErrorContains(t, err, "worker init")

		s.claim.ExistingOnly = false
		lo, _ := s.lease().Grant()
		assert.Greater(t, lo, before)
	})
}

func TestARowEditedByHand(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		_, hi := l.Grant()
		s.edit(0, func(r *store.Row) { r.High -= 40 })
		s.work(l, time.Minute)
		errors := s.log.lines(slog.LevelError)
		require.Len(t, errors, 1)
		assert.Contains(t, errors[0], "somebody edited the row")
		assert.Greater(t, s.row(0).High, hi, "healed")
		assert.NoError(t, l.Err())
	})
}

func TestReleaseWhileTheStoreIsDown(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.set(func(f *flaky) { f.down = true })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorIs(t, l.Release(ctx, math.MinInt64), errDown)
		assert.ErrorIs(t, l.Err(), errReleased)
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi)
	})
}

// The first view after an outage shows the edit.
func TestARowEditedByHandDuringAnOutage(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		s.work(l, 2*time.Second)
		s.set(func(f *flaky) { f.down = true })
		s.work(l, 40*time.Second)
		s.edit(0, func(r *store.Row) { r.High -= 40 })
		s.set(func(f *flaky) { f.down = false })
		s.work(l, time.Minute)
		assert.Len(t, s.log.lines(slog.LevelError), 1)
	})
}

// The rows and their head are deleted under a holder that may not make a head.
func TestEverythingIsDeletedUnderAClaimThatCreatesNothing(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		deleted := false
		l := assign(t, Leased(through(func(ctx context.Context, call any) answer {
			if _, reads := call.(lookup); reads && deleted {
				return answer{view: store.View{Pool: need.pool(), Server: "s", Now: time.Now()}}
			}
			return ask(ctx, s.Store, call)
		}), s.claim))
		s.leases = append(s.leases, l)
		deleted = true
		s.work(l, time.Minute)
		require.ErrorIs(t, l.Err(), ErrDeleted)
	})
}
