package goroutine

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		begin, called, ended := time.Now(), 0, 0
		Keep(ctx, all.Go, func() {
			switch called++; called {
			case 1:
				runtime.Goexit()
			case 2:
				panic(struct{ why func() }{}) // cannot be compared
			}
		}, func(any) { ended++ })
		all.Wait()
		assert.Equal(t, []int{3, 2}, []int{called, ended})
		assert.GreaterOrEqual(t, time.Since(begin), 2*time.Second)

		called = 0
		Keep(ctx, all.Go, func() { called++; cancel(); panic(1) }, func(any) { ended++ })
		all.Wait()
		assert.Equal(t, []int{1, 2}, []int{called, ended}, "it has to end")
	})
}
