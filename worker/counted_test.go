package worker

import (
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whoever sees that a restore was counted sees that what was granted is given up: it
// drops its ids at that count, and there is no other.
func TestARestoreIsCountedWithWhatItTakes(t *testing.T) {
	const rounds = 20_000
	c := Claim{Logger: slog.New(slog.DiscardHandler)}.withDefaults()
	k := &keeper{c: c, kick: make(chan struct{}, 1)}
	k.h.ns = Namespace{Window: 60, Unit: time.Second}
	k.publish()
	grant := func(n int64) { // what is granted before the n-th restore begins at n
		k.mu.Lock()
		defer k.mu.Unlock()
		k.h.spans = []span{{n, n + 1}}
		k.publish()
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := int64(1); n <= rounds; n++ {
			grant(n)
			k.AfterRestore()
		}
	})
	for n := int64(0); n < rounds; {
		n = k.Restores()
		lo, hi := k.Grant()
		require.False(t, lo <= hi && lo <= n, "restore %d is counted, and the grant from before it is still shown: %d", n, lo)
	}
	all.Wait()
}
