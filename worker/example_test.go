package worker_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// A number for something else than ids, as a broker or a shard has one. What a lease promises is
// for ticks, the time that it grants: two processes are never granted the same tick of the same
// number. So whatever the number marks carries a tick, and only ticks of the grant are used.
func ExampleLeased() {
	ctx := context.Background()
	shards := worker.Need{
		Unit:        time.Second,
		MaxID:       31,
		Fingerprint: "shards of orders", // whoever uses this name in the store shares the numbers
	}
	assigner := worker.Leased(memstore.New(), worker.Claim{
		First: 1, Count: 31, Owner: "orders-1", Slack: 10 * time.Millisecond})

	// It waits, as long as ctx lasts, for a number that comes free at a known time. Numbers that
	// live processes hold are an error: worker.ErrAllHeld.
	lease, err := assigner.Assign(ctx, shards)
	if err != nil {
		panic(err)
	}
	number := lease.WorkerID()
	last, err := work(lease, func(tick int64) bool {
		fmt.Println("shard is ours:", number >= 1 && number <= 31)
		return false // the program ends
	})
	if err != nil {
		fmt.Println("stop using the number, and call Assign for another:", err)
	}
	// The next process with this number continues right after the last tick.
	fmt.Println(lease.Release(ctx, last))
	// Output:
	// shard is ours: true
	// <nil>
}

// work does something once in each granted tick, until do returns false or the lease ends.
func work(lease worker.Lease, do func(tick int64) bool) (last int64, err error) {
	last = math.MinInt64
	for {
		changed := lease.Changed() // before Grant and Err, so that no change is missed
		lo, hi := lease.Grant()
		err := lease.Err()
		if errors.Is(err, worker.ErrFenced) {
			return last, err // somebody else has the number: also drop what is not sent yet
		}
		tick := max(lo, last+1, time.Now().Unix()) // the ticks of this lease are seconds
		lease.Want(tick)                           // in time for the next ones
		switch {
		case tick <= hi:
			last = tick
			if !do(tick) {
				return last, nil
			}
			time.Sleep(time.Until(time.Unix(tick+1, 0)))
		case err != nil:
			return last, err // all that was granted is used up, and no more will come
		default:
			<-changed // the store does not answer, or others begin later
		}
	}
}

// A platform that numbers its processes: worker ids of one's own need a function. The ids of two
// processes differ as long as the platform gives no number to two of them at the same time.
func ExampleAssignerFunc() {
	slot := func(context.Context) (int64, error) { return 7, nil } // such as a call to the platform
	g, err := uid.New(context.Background(), worker.AssignerFunc(slot), uid.Config{})
	if err != nil {
		panic(err)
	}
	defer g.Close()
	fmt.Println("worker id", g.Stats().WorkerID, g.Stats().Class)
	// Output: worker id 7 Unfenced
}

// A counter that keeps what it counted gives each start a worker id that no other start has.
func ExampleNeverRepeats() {
	var starts atomic.Int64 // such as a sequence of a database
	next := func(context.Context) (int64, error) { return starts.Add(1), nil }
	g, err := uid.New(context.Background(), worker.NeverRepeats(next), uid.Config{})
	if err != nil {
		panic(err)
	}
	defer g.Close()
	fmt.Println("worker id", g.Stats().WorkerID, g.Stats().Class)
	// Output: worker id 1 NeverReused
}
