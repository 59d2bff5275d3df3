package storetest

import (
	"errors"
	"log/slog"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// brisk is the unit of ticks that pass quickly: a new row is soon no longer ahead.
const brisk = 10 * time.Millisecond

func (f *fixture) need() worker.Need {
	return worker.Need{Unit: f.pool.Unit, MaxID: 1023, Fingerprint: f.pool.Layout}
}

func (f *fixture) claim() worker.Claim {
	return worker.Claim{
		First: first, Last: last, TTL: 4 * f.ttl, Slack: f.ttl, Owner: "storetest",
		Timeout: time.Minute, // no call hangs, but a busy machine is slow
		Logger:  slog.New(slog.DiscardHandler),
	}
}

// testTakeover: a holder that the store does not hear is taken over above all that it was
// granted, and knows it as soon as it hears the store.
func testTakeover(f *fixture) {
	f.begin(brisk)
	h := leasetest.NewHolders(f.t, f.need(), f.claim())
	one := h.JoinAs(first, f.store)
	h.GoOn("all is well")
	one.CutOff()
	two := h.JoinAs(first, f.store)
	h.GoOn("it was taken over")
	lost := one.Lease()
	assert.NoError(f.t, lost.Err(), "a lease that expires may be used up")
	one.Mend()
	h.Until("it notices", func() error {
		if lost.Err() == nil {
			return errors.New("its lease stands")
		}
		return nil
	})
	assert.ErrorIs(f.t, lost.Err(), worker.ErrFenced)
	assert.NoError(f.t, two.Lease().Err())
	assert.Empty(f.t, h.Duplicates())
}

// underHolders does each of these things to the store, several times, while processes mint.
// Each mints again after each of them, and no two of them the same tick with one worker id.
func (f *fixture) underHolders(doings ...func()) {
	f.t.Helper()
	f.begin(brisk)
	h := leasetest.NewHolders(f.t, f.need(), f.claim())
	for range 3 {
		h.Join(f.store)
	}
	h.GoOn("all is well")
	for _, do := range doings {
		for range 3 {
			do()
			h.GoOn("it was done")
		}
	}
	assert.Empty(f.t, h.Duplicates())
}

// testDeletingUnderHolders: deleting anything is safe at any time.
func testDeletingUnderHolders(f *fixture) {
	doings := f.deletions()
	if f.hands != nil {
		h := f.hands(f.t, f.store)
		doings = append(doings, func() { h.DeleteRow(f.pool.Layout, first) },
			func() { h.DeleteRow(f.pool.Layout, first+1) })
		if h.DeleteHead != nil {
			doings = append(doings, func() { h.DeleteHead(f.pool.Layout) })
		}
	}
	for _, do := range doings {
		f.underHolders(do)
	}
}
