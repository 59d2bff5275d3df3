package ringbuffer

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
)

// hammer is a ring with one producer and many takers, and an account of every
// number.
type hammer struct {
	ring    *Ring
	low     int // slots
	wake    chan struct{}
	over    atomic.Bool // all has been put
	dropped int64
	seen    [][]uint64 // for each taker a set of the round's numbers
	last    []int64    // and the last one that it took
}

func newHammer(t *testing.T, slots, span, takers int) *hammer {
	r, err := newRing(slots, span, 0, math.MaxInt64)
	require.NoError(t, err)
	h := &hammer{ring: r, low: (slots + 1) / 2, wake: make(chan struct{}, 1),
		last: make([]int64, takers)}
	for i := range takers {
		h.seen = append(h.seen, nil)
		h.last[i] = -1
	}
	return h
}

// round puts the numbers from first up to end, has all of them taken, and fails
// unless each was taken once, dropped, or spoilt by a take that the ring told of,
// and each taker saw its own numbers grow.
func (h *hammer) round(t *testing.T, first, end int64) {
	words := (end - first + 63) / 64
	for i := range h.seen {
		if int64(len(h.seen[i])) < words {
			h.seen[i] = make([]uint64, words)
		}
	}
	h.dropped = 0
	h.over.Store(false)
	spoilt := h.ring.Spoilt()
	var wg sync.WaitGroup
	for i := range h.seen {
		wg.Go(func() {
			if err := h.take(i, first); err != nil {
				t.Error(err)
			}
		})
	}
	h.put(first, end)
	h.over.Store(true)
	wg.Wait()

	taken := h.count(t, first, words)
	missing := end - first - taken - h.dropped
	require.Zero(t, h.ring.Left())
	require.GreaterOrEqual(t, missing, int64(0), "more was taken than put")
	require.LessOrEqual(t, missing, h.ring.Spoilt()-spoilt, "numbers are lost")
}

// put puts spans of every length, drops now and then, and sleeps while
// the ring is not low: a lost wake-up hangs the test.
func (h *hammer) put(first, end int64) {
	r := h.ring
	for next, puts := first, 0; next < end; {
		n := min(next%int64(r.span)+1, end-next)
		if !r.Put(next, int(n)) {
			if r.Arm(h.low) {
				<-h.wake
			}
			continue
		}
		next += n
		switch puts++; {
		case puts%10_007 == 0:
			h.dropped += r.Drop(math.MaxInt64)
		case puts%1009 == 0:
			if front, ok, _ := r.Front(); ok { // a part of a slot, or all of it
				h.dropped += r.Drop(front + n/2)
			}
		}
	}
}

// take is one taker, of single numbers or of spans.
func (h *hammer) take(i int, from int64) error {
	limit := []int{1, 7, 256}[i%3]
	for last := &h.last[i]; ; {
		over := h.over.Load() // before looking
		var first int64
		var n int
		var low bool
		if limit == 1 {
			first, n, low = h.ring.take()
		} else {
			first, n, low = h.ring.takeSpan(limit)
		}
		if low {
			select {
			case h.wake <- struct{}{}:
			default: // one is pending already
			}
		}
		switch {
		case n == 0 && over:
			return nil
		case n == 0:
			runtime.Gosched()
			continue
		case first <= *last:
			return fmt.Errorf("took %d after %d", first, *last)
		}
		*last = first + int64(n) - 1
		for at := first - from; at <= *last-from; at++ {
			h.seen[i][at/64] |= 1 << (at % 64)
		}
	}
}

// count adds up what the takers have, and forgets it.
func (h *hammer) count(t *testing.T, first, words int64) (taken int64) {
	for w := range words {
		all := uint64(0)
		for _, seen := range h.seen {
			if twice := all & seen[w]; twice != 0 {
				t.Fatalf("number %d was taken twice", first+w*64+int64(bits.TrailingZeros64(twice)))
			}
			all |= seen[w]
			seen[w] = 0
		}
		taken += int64(bits.OnesCount64(all))
	}
	return taken
}

// hammered is how many numbers all cases take together; make hammer asks for more.
func hammered(t *testing.T) int64 {
	if text := os.Getenv("UID_HAMMER"); text != "" {
		n, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return int64(n)
	}
	if testing.Short() || race.Enabled {
		return 4_000_000
	}
	return 40_000_000
}

func TestHammer(t *testing.T) {
	rings := []struct{ slots, span int }{{256, 256}, {16, 4096}, {16, 4}, {2, 256}, {1, 8}, {2, 1},
		{1, 1}}
	procs := []int{1, 2, 8, 64}
	share := hammered(t) / int64(len(procs)) / 2
	const round = 1 << 26
	for _, c := range rings {
		for _, p := range procs {
			t.Run(fmt.Sprintf("slots=%d/span=%d/procs=%d", c.slots, c.span, p), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p))
				total := share
				if c.slots*c.span < 4096 {
					total /= 100 // there is a hand-over every few numbers
				}
				if c.span == 1 {
					total = min(total, 1_250_000) // after each number, for which all goroutines wait their turn
				}
				h := newHammer(t, c.slots, c.span, max(p, 8))
				for first := int64(0); first < total; first += round {
					h.round(t, first, min(first+round, total))
				}
				t.Logf("%d numbers, of which %d may be spoilt", total, h.ring.Spoilt())
			})
		}
	}
}
