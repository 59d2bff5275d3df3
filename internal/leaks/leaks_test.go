package leaks

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// tests are a testing.M.
type tests func() int

func (t tests) Run() int { return t() }

func TestAGoroutineThatIsLeftIsPrinted(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	defer close(end)
	var b strings.Builder
	code := run(tests(func() int {
		go waitFor(begun, end)
		<-begun
		return 0
	}), 0, &b)
	assert.Equal(t, 1, code)
	assert.Contains(t, b.String(), "1 goroutines are left")
	assert.Contains(t, b.String(), "leaks.waitFor")
	assert.Contains(t, b.String(),
		"created by github.com/ringuid/ringuid/internal/leaks.TestAGoroutineThatIsLeftIsPrinted")
}

func waitFor(begun, end chan struct{}) {
	close(begun)
	<-end
}

func TestAGoroutineThatEndsIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		assert.Zero(t, run(tests(func() int {
			go time.Sleep(time.Second)
			return 0
		}), time.Minute, &b))
		assert.Empty(t, b.String())
	})
}

func TestWhatFailedFails(t *testing.T) {
	assert.Equal(t, 3, run(tests(func() int { return 3 }), 0, nil))
}
