//go:build gc && !tinygo && !race && !ringuid_portable

package percpu

import (
	"runtime"
	_ "unsafe" // for linkname
)

// Set is a number of shards. The zero Set has none.
type Set struct{ n int }

// New makes a set of shards for all CPUs that the process may come to use.
// GOMAXPROCS may exceed the machine's CPUs, and may be raised later: what is
// beyond the set goes without a shard.
func New() Set { return Set{max(64, 4*runtime.NumCPU(), runtime.GOMAXPROCS(0))} }

// Len is the number of shards.
func (s Set) Len() int { return s.n }

// Pin returns a shard, from 0 to Len-1, that is the caller's alone until Unpin,
// or a number out of that range when there is none, and then too Unpin must be
// called. In between the caller must not block, nor call anything that might.
func (s Set) Pin() int { return procPin() }

// Unpin gives back what Pin returned.
func (s Set) Unpin(int) { procUnpin() }

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
