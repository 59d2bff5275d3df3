package worker

import (
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever sees that a restore was counted sees that what was granted is given up: it
// drops its ids at that count, and there is no other.
func TestARestoreIsCountedWithWhatItTakes(t *testing.T) {
	const rounds = 20_000
	c := Claim{Logger: slog.New(slog.DiscardHandler)}.withDefaults()
	l := &held{c: c, wake: make(chan struct{}, 1)}
	l.keeper.h.pool = need.pool()
	l.publish()
	grant := func(n int64) { // what is granted before the n-th restore begins at n
		l.mu.Lock()
		defer l.mu.Unlock()
		l.keeper.h.spans = []span{{n, n + 1}}
		l.publish()
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := int64(1); n <= rounds; n++ {
			grant(n)
			l.AfterRestore()
		}
	})
	for n := int64(0); n < rounds; {
		n = l.Restores()
		lo, hi := l.Grant()
		require.False(t, lo <= hi && lo <= n,
			"restore %d is counted, and the grant from before it is still shown: %d", n, lo)
	}
	all.Wait()
}
