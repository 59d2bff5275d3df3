//go:build !gc || tinygo || race || ringuid_portable

package percpu

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// Set is a number of shards. The zero Set has none.
type Set struct{ locks []lock }

type lock struct {
	sync.Mutex
	_ cacheline.Pad
}

// New makes a set of shards, some more than there are CPUs.
func New() Set { return Set{make([]lock, 2*max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))} }

// Len is the number of shards.
func (s Set) Len() int { return len(s.locks) }

// Pin returns a shard, from 0 to Len-1, that is the caller's alone until Unpin,
// or a number out of that range when there is none, and then too Unpin must be
// called. In between the caller must not block, nor call anything that might.
func (s Set) Pin() int {
	n := len(s.locks)
	if n == 0 {
		return -1
	}
	at := rand.IntN(n)
	for i := range n {
		if k := (at + i) % n; s.locks[k].TryLock() {
			return k
		}
	}
	return -1
}

// Unpin gives back what Pin returned.
func (s Set) Unpin(i int) {
	if i >= 0 {
		s.locks[i].Unlock()
	}
}
