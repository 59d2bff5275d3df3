package worker

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// A lease is written once per half window, whether its generator is steady, idle, or wanted
// ticks of years to come for a moment, since its clock was ahead.
func TestOneWritePerHalfWindow(t *testing.T) {
	for name, work := range map[string]func(s *env, l Lease){
		"steady": func(s *env, l Lease) {
			start := nowTick()
			lo, hi := l.Grant()
			assert.Equal(s, []int64{start, start + 60}, []int64{lo, hi})
			assert.Equal(s, Fenced, l.Class())
			for range 3600 {
				s.work(l, time.Second)
				lo, hi := l.Grant()
				assert.Equal(s, start, lo)
				assert.GreaterOrEqual(s, hi-nowTick(), int64(28), "at %d s", nowTick()-start)
			}
		},
		"idle": func(*env, Lease) { time.Sleep(time.Hour) },
		"ahead for a moment": func(s *env, l Lease) {
			l.Want(nowTick() + 1e9)
			s.work(l, time.Minute)
			s.set(func(f *flaky) { f.writes = 0 })
			s.work(l, time.Hour)
		},
	} {
		for _, ttl := range []time.Duration{0, time.Hour} {
			t.Run(fmt.Sprintf("%s, TTL %v", name, ttl), func(t *testing.T) {
				inBubble(t, 1, func(t *testing.T, s *env) {
					s.claim.TTL = ttl
					l := s.lease()
					work(s, l)
					assert.InDelta(t, 120, s.written(), 2, "writes in an hour, with a window of a minute")
					_, err := Leased(s.network(), s.claim).Assign(t.Context(), need)
					assert.ErrorIs(t, err, ErrAllHeld)
					assert.NoError(t, l.Err())
				})
			})
		}
	}
}

// A store whose clock shows whole seconds grants nothing until the next one. A burst that has
// used up all does not ask every 10 ms whether it has come.
func TestABurstOnAClockOfWholeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := Need{Unit: time.Millisecond, MaxID: 1023, Fingerprint: "millis"}
		s := memory.NewAt(func() time.Time { return time.Now().Truncate(time.Second) })
		openRows(t, s, n.pool(), 1, n.pool().TickAt(time.Now())-1)
		views, writes := 0, 0
		l, err := Leased(through(func(ctx context.Context, call any) answer {
			switch call.(type) {
			case lookup:
				views++
			case store.Write:
				writes++
			}
			return ask(ctx, s, call)
		}), Claim{ExistingOnly: true, Logger: slog.New(slog.DiscardHandler)}).Assign(t.Context(), n)
		require.NoError(t, err)
		defer l.Release(context.Background(), math.MinInt64)
		for range 1000 { // ten seconds
			_, hi := l.Grant()
			l.Want(hi + 1)
			time.Sleep(10 * time.Millisecond)
		}
		synctest.Wait()
		_, hi := l.Grant()
		assert.GreaterOrEqual(t, hi, n.pool().TickAt(time.Now().Add(58*time.Second)))
		assert.LessOrEqual(t, views, 30)
		assert.LessOrEqual(t, writes, 12, "one for each second")
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
		used := holder{view: store.View{Pool: p, Head: store.Head{Floor: floor}, Now: now},
			acked: p.TickAt(now) - 1}
		k := newKeeper(caller{c: Claim{}.withDefaults(), ctx: t.Context(), at: at}, used)
		wait, over := k.renew()
		assert.False(t, over, "at %v", now)
		assert.Equal(t, k.c.TTL/3, wait, "at %v", now)
	}
	assert.Len(t, wraps, 2, "one date of each kind")
}

// What was granted above a raised floor is there in an outage, although the keeper hangs in a
// call.
func TestALaterSpanIsShownInAnOutage(t *testing.T) {
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
		_, hi := l.Grant()
		require.Equal(t, old, hi, "older grants stay valid, and are used up first")
		s.set(func(f *flaky) { f.lossy = true })
		defer s.set(func(f *flaky) { f.lossy = false })
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		changed := l.Changed()
		l.Want(old)
		_, hi = l.Grant()
		require.Equal(t, old, hi, "to the end")
		l.Want(old + 1)
		lo, hi := l.Grant()
		assert.GreaterOrEqual(t, lo, v.Floor)
		assert.Equal(t, v.Rows[0].High, hi)
		<-changed
	})
}

// What a test put into the store's client may end the goroutine that calls it, or panic.
func TestAClientThatEndsTheGoroutine(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		end := 0
		l := assign(t, Leased(through(func(ctx context.Context, call any) answer {
			switch end--; end {
			case 1:
				panic("a client")
			case 0:
				runtime.Goexit()
			}
			return ask(ctx, s.Store, call)
		}), s.claim))
		s.leases = append(s.leases, l)
		end = 2
		s.work(l, 10*time.Minute)
		_, hi := l.Grant()
		assert.Greater(t, hi, nowTick(), "it is renewed")
		assert.Len(t, s.log.lines(slog.LevelError), 2)
	})
}

// The first view after the edit shows it, also after an outage. Who knows what else was edited?
func TestARowEditedByHand(t *testing.T) {
	for _, outage := range []time.Duration{0, 40 * time.Second} {
		inBubble(t, 1, func(t *testing.T, s *env) {
			l := s.lease()
			s.set(func(f *flaky) { f.down = outage > 0 })
			s.work(l, outage)
			s.edit(0, func(r *store.Row) { r.High -= 40 })
			s.set(func(f *flaky) { f.down = false })
			s.work(l, time.Minute)
			require.ErrorIs(t, l.Err(), ErrRolledBack)
			assert.ErrorContains(t, l.Err(), "somebody edited the row")
			lo, hi := l.Grant()
			assert.Greater(t, lo, hi)
			v, err := s.Store.View(t.Context(), need.pool(), 0, 0)
			require.NoError(t, err)
			assert.Empty(t, v.Rows, "deleted")
		})
	}
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

// A floor that was forgotten may be below what is acknowledged, above which nothing is granted
// before the store's clock has come nearer: nothing is written until then.
func TestNothingIsWrittenThatGrantsNothing(t *testing.T) {
	now := time.Unix(1000, 0)
	k := keeper{caller: caller{c: Claim{TTL: time.Hour}, at: moment{wall: now}}, cursor: noTick,
		h: holder{view: store.View{Pool: need.pool(), Now: now}, spans: []span{{900, 1010}}, acked: 1070}}
	assert.Equal(t, 11*time.Second, k.untilDue())
}
