package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errReadOnly = errors.New("permission denied")

// It would try for ever, without a word, on a context without an end.
func TestAStoreThatRefusesWritesIsAnErrorAtTheStart(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, s *env) {
		begin := time.Now()
		s.set(func(f *flaky) { f.refuses = errReadOnly })
		_, err := Leased(s.network(), s.claim).Assign(context.Background(), need)
		require.ErrorIs(t, err, errReadOnly)
		assert.ErrorContains(t, err, `the store can be read but not written`)
		assert.Less(t, time.Since(begin), 5*time.Second)
	})
}

// What the store granted before its server changed is used up, and then there is
// nothing until the new floor: no longer than the floor is away.
func TestANewEpochGrantsAsSoonAsItsFloorIsReached(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		burst := func() (hi int64) { // wants all there is, and one more
			_, hi = l.Grant()
			l.Want(hi + 1)
			return hi
		}
		for range 5 {
			burst()
			time.Sleep(time.Second)
		}
		s.set(func(f *flaky) { f.down = true })
		time.Sleep(2 * time.Minute)
		s.set(func(f *flaky) { f.down = false })
		s.failOver()
		old, begin := burst(), time.Now()
		for burst() == old && time.Since(begin) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		lo, hi := l.Grant()
		assert.Greater(t, lo, old)
		assert.Greater(t, hi, old)
		assert.LessOrEqual(t, time.Since(begin), 13*time.Second,
			"slack is 5 s, a back-off 5 s, a tick 1 s")
	})
}
