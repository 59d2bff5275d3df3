package worker

import (
	"io"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/store"
)

// How leases are tested here, and the words for it:
//
//	env       leases as users have them, with goroutines, on a store that fails on
//	          request, in a bubble of testing/synctest (env_test.go)
//	model     a world so small that all its schedules are gone through (model_test.go)
//	world     a larger one, with a schedule and faults that a seed decides: processes run
//	          acquirers and keepers, over a network, on a server, beside operators; an
//	          oracle compares what happens with the rules; a mutation switches one of the
//	          rules off (sim_world_test.go)
//
// All of them run the code of this package on memstore.

// take is the holder, and its write, by which Assign would take one of the rows of a view.
func (c Claim) take(v store.View) (*holder, store.Write, error) {
	nonce := c.nonce()
	row, _, none := c.choose(moment{nonce: nonce}, v)
	if none != nil {
		return nil, store.Write{}, none
	}
	h := newHolder(v, row, c.Owner, c.TTL)
	return &h, h.acquire(nonce), nil
}

// clone is the holder of a copied process.
func (h holder) clone() holder {
	h.spans, h.unknown = slices.Clone(h.spans), slices.Clone(h.unknown)
	return h
}

// clone is the keeper of a copied process, with a claim of its own.
func (k keeper) clone(c Claim) keeper {
	k.c, k.h = c, k.h.clone()
	return k
}

// rigged is the claim on another clock and source of randomness.
func (c Claim) rigged(wall func() time.Time, mono func() time.Duration, random io.Reader) Claim {
	c.clock, c.random = clock.Clock{Wall: wall, Mono: mono}, random
	return c.withDefaults()
}
