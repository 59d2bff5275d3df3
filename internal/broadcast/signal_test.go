package broadcast

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestSendWakesAllWhoAskedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Signal
		s.Send() // nobody waits: nothing happens
		before := s.Next()
		assert.Equal(t, before, s.Next(), "one event, one channel")

		var wg sync.WaitGroup
		for range 3 {
			ch := s.Next()
			wg.Go(func() { <-ch })
		}
		synctest.Wait()
		s.Send()
		wg.Wait()
		<-before

		select {
		case <-s.Next():
			t.Error("an event that was sent before is not a later one")
		default:
		}
	})
}
