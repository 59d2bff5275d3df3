// Package percpu gives a goroutine a shard to itself for a few instructions: the
// one of the CPU that it runs on.
//
// With the gc compiler the goroutine is pinned to its P by the runtime's own
// procPin, which sync.Pool uses too: nothing else runs on that P until Unpin, so
// the shard needs no lock. Where that is not to be had, under the race detector,
// with another compiler, or with the build tag ringuid_portable, each shard has a
// lock and the shard is any that is free.
package percpu
