package worker_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

func ExampleStatic() {
	need := worker.Need{Unit: time.Second, MaxID: 1023} // a generator fills this in
	lease, err := worker.Static(7).Assign(context.Background(), need)
	fmt.Println(lease.WorkerID(), lease.Class(), err)

	_, err = worker.Static(5000).Assign(context.Background(), need)
	fmt.Println(errors.Is(err, worker.ErrRange))
	// Output:
	// 7 Unfenced <nil>
	// true
}

// Processes share a worker id, one after the other. A generator does all this.
func ExampleLeased() {
	ctx := context.Background()
	need := worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "my-layout"} // uid.Layout.Need
	leases := memstore.New()

	assigner := worker.Leased(leases, worker.Claim{First: 7, Last: 7, Owner: "orders-1",
		Slack: 10 * time.Millisecond})
	first, err := assigner.Assign(ctx, need)
	if err != nil {
		panic(err)
	}
	lo, hi := first.Grant()
	fmt.Println(first.WorkerID(), first.Class(), lo <= hi)
	last := lo // the highest tick that it minted
	if err := first.Release(ctx, last); err != nil {
		panic(err)
	}

	next, err := assigner.Assign(ctx, need)
	if err != nil {
		panic(err)
	}
	defer next.Release(ctx, last)
	lo, _ = next.Grant()
	fmt.Println(next.WorkerID(), lo-last)
	// Output:
	// 7 Fenced true
	// 7 1
}
