package properties

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/ringbuffer"
)

// model is the ring as anybody would write it without a thought for speed.
type model struct {
	size  int
	step  int64     // distance between the numbers of a span
	count int64     // the bits of a number that are not its frame
	slots [][]int64 // numbers left, a slice per slot, oldest first
	gone  int       // slots that were taken whole or dropped
	mark  int       // tell when gone reaches this; 0: disarmed
}

func (m *model) put(first int64, n int) bool {
	if len(m.slots) == m.size {
		return false
	}
	var numbers []int64
	for i := range n {
		numbers = append(numbers, first+int64(i)*m.step)
	}
	m.slots = append(m.slots, numbers)
	return true
}

func (m *model) claim(limit int) (numbers []int64, low bool) {
	if len(m.slots) == 0 {
		return nil, false
	}
	front := m.slots[0]
	n := min(limit, len(front))
	if m.slots[0] = front[n:]; len(m.slots[0]) > 0 {
		return front[:n], false
	}
	m.leave()
	if m.mark > 0 && m.gone >= m.mark {
		m.mark = 0
		return front[:n], true
	}
	return front[:n], false
}

func (m *model) leave() {
	m.slots = m.slots[1:]
	m.gone++
}

func (m *model) drop(number int64) (dropped int64) {
	for len(m.slots) > 0 && m.slots[0][0]&m.count <= number {
		dropped++
		if m.slots[0] = m.slots[0][1:]; len(m.slots[0]) == 0 {
			m.leave()
		}
	}
	return dropped
}

func (m *model) left() (left int64) {
	for _, s := range m.slots {
		left += int64(len(s))
	}
	return left
}

func (m *model) arm(left int) bool {
	m.mark = 0
	if len(m.slots) < left {
		return false
	}
	m.mark = m.gone + len(m.slots) - left + 1
	return true
}

// take takes a number as package uid does.
func take(r *ringbuffer.Ring) (first int64, n int, low bool) {
	begun := r.Begin()
	if number, ok := r.Number(begun); ok {
		return number, 1, false
	}
	return r.Take(begun, 1)
}

func TestRingBehavesLikeTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := 1 << rapid.IntRange(0, 4).Draw(t, "log2 slots")
		span := rapid.IntRange(1, 20).Draw(t, "span")
		spacing := rapid.IntRange(0, 5).Draw(t, "log2 step")
		top := rapid.IntRange(0, 8).Draw(t, "highest bits that do not count")
		counted := int64(math.MaxInt64>>top) >> spacing << spacing
		r := new(ringbuffer.Ring)
		require.NoError(t, r.Init(slots, span, spacing, counted))
		m := &model{size: slots, step: 1 << spacing, count: counted}
		next := rapid.Int64Range(0, math.MaxInt64>>top/2).Draw(t, "first number") & counted

		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				n := rapid.IntRange(1, span).Draw(t, "n")
				first := next | rapid.Int64Range(0, math.MaxInt64).Draw(t, "frame")&^counted
				require.Equal(t, m.put(first, n), r.Put(first, n))
				next += (int64(n) + rapid.Int64Range(0, 1000).Draw(t, "gap")) << spacing
			},
			"take": func(t *rapid.T) {
				want, wantLow := m.claim(1)
				first, n, low := take(r)
				require.Equal(t, wantLow, low)
				require.Len(t, want, n)
				if n > 0 {
					require.Equal(t, want[0], first)
				}
			},
			"take span": func(t *rapid.T) {
				limit := rapid.IntRange(1, span+1).Draw(t, "limit")
				want, wantLow := m.claim(min(limit, span))
				first, n, low := r.Take(ringbuffer.Attempt{}, limit)
				require.Equal(t, wantLow, low)
				require.Len(t, want, n)
				if n > 0 {
					require.Equal(t, want[0], first)
				}
			},
			"drop": func(t *rapid.T) {
				number := next - rapid.Int64Range(0, 5000).Draw(t, "below next")
				require.Equal(t, m.drop(number), r.Drop(number))
			},
			"drop all": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") == 0 {
					require.Equal(t, m.drop(math.MaxInt64), r.Drop(math.MaxInt64))
					require.Empty(t, m.slots)
				}
			},
			"arm": func(t *rapid.T) {
				left := rapid.IntRange(1, slots).Draw(t, "left")
				require.Equal(t, m.arm(left), r.Arm(left))
			},
			"": func(t *rapid.T) {
				require.Equal(t, m.left(), r.Left())
				require.Zero(t, r.Spoilt())
				front, ok, used := r.Front()
				require.Equal(t, len(m.slots), used)
				require.Equal(t, used > 0, ok)
				if ok {
					require.Equal(t, m.slots[0][0]&counted, front)
				}
			},
		})
	})
}
