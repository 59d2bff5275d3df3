package ringbuffer

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// hammer runs one producer against takers until every number from 0 to total-1
// has been taken, and fails unless each was taken once and each taker saw its
// own numbers grow. The producer sleeps on the low-water mark, so a lost wake-up
// hangs the test.
func hammer(t *testing.T, slots, span, takers int, total int64) {
	r, err := New(slots, span, 0)
	require.NoError(t, err)
	seen := make([]atomic.Uint64, (total+63)/64)
	var taken atomic.Int64
	wake := make(chan struct{}, 1)
	done := make(chan struct{})

	var wg sync.WaitGroup
	for i := range takers {
		wg.Go(func() { take(t, r, seen, &taken, total, wake, i%2 == 0) })
	}
	go func() {
		defer close(done)
		produce(r, total, (slots+1)/2, wake)
	}()
	wg.Wait()
	<-done

	require.Equal(t, total, taken.Load())
	for i := range total {
		if seen[i/64].Load()>>(i%64)&1 == 0 {
			t.Fatalf("number %d was never taken", i)
		}
	}
	require.Zero(t, r.Left())
}

// produce puts spans of every length, and sleeps while the ring is not low.
func produce(r *Ring, total int64, low int, wake <-chan struct{}) {
	for next := int64(0); next < total; {
		n := min(next%int64(r.Span())+1, total-next)
		if r.Put(next, int(n)) {
			next += n
		} else if r.Arm(low) {
			<-wake
		}
	}
}

func take(t *testing.T, r *Ring, seen []atomic.Uint64, taken *atomic.Int64, total int64, wake chan<- struct{}, single bool) {
	last := int64(-1)
	for taken.Load() < total {
		var first int64
		var n int
		var s State
		if single {
			first, s = r.Take()
			n = 1
		} else {
			first, n, s = r.TakeSpan(7)
		}
		switch s {
		case Empty:
			runtime.Gosched()
			continue
		case Low:
			select {
			case wake <- struct{}{}:
			default: // one is pending already
			}
		}
		if first <= last {
			t.Errorf("took %d after %d", first, last)
		}
		for i := first; i < first+int64(n); i++ {
			if bit := uint64(1) << (i % 64); seen[i/64].Or(bit)&bit != 0 {
				t.Errorf("number %d was taken twice", i)
			}
		}
		last = first + int64(n) - 1
		taken.Add(int64(n))
	}
}

func TestHammer(t *testing.T) {
	total := int64(2_000_000)
	if testing.Short() {
		total = 200_000
	}
	for _, procs := range []int{1, 2, 8} {
		for _, c := range []struct{ slots, span int }{{1, 1}, {1, 8}, {2, 1}, {2, 256}, {16, 4}, {256, 256}} {
			t.Run(fmt.Sprintf("procs=%d/slots=%d/span=%d", procs, c.slots, c.span), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				n := total
				if c.slots*c.span < 64 {
					n /= 20 // each number is a hand-over here
				}
				hammer(t, c.slots, c.span, 8, n)
			})
		}
	}
}

// Baidu's take() compares with a stale reading of the cursor: when two threads
// race for the last id, both can pass (its issue 105), and one id comes twice or
// an error comes that should not. Here many race for each last number.
func TestTwoTakersNeverPassForOneSlot(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	r, err := New(1, 1, 0)
	require.NoError(t, err)
	for round := range int64(rounds) {
		require.True(t, r.Put(round, 1))
		var winners atomic.Int64
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if number, s := r.Take(); s != Empty {
					winners.Add(1)
					if number != round {
						t.Errorf("took %d in round %d", number, round)
					}
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, winners.Load())
	}
}

func TestTwoProducersCorruptNothing(t *testing.T) {
	const each = 50_000
	r, err := New(4, 8, 0)
	require.NoError(t, err)
	for p := range int64(2) {
		go func() {
			for next := p * each; next < (p+1)*each; {
				if r.Put(next, 5) {
					next += 5
				} else {
					runtime.Gosched()
				}
			}
		}()
	}
	seen := make([]bool, 2*each)
	for count := 0; count < len(seen); {
		number, s := r.Take()
		if s == Empty {
			runtime.Gosched()
			continue
		}
		require.False(t, seen[number], "number %d twice", number)
		seen[number] = true
		count++
	}
}
