package etcdstore_test

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/etcdstore"
)

// A recycled worker id from etcd.
func Example() {
	client, err := clientv3.New(clientv3.Config{
		Endpoints:            []string{"etcd-0:2379", "etcd-1:2379", "etcd-2:2379"},
		DialTimeout:          5 * time.Second,
		DialKeepAliveTime:    10 * time.Second, // see the package's documentation
		DialKeepAliveTimeout: 3 * time.Second,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	store := etcdstore.New(client, etcdstore.Options{})
	assigner := worker.Leased(store, worker.Claim{Owner: "orders-7"})

	// A generator's constructor does this.
	lease, err := assigner.Assign(context.Background(),
		worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "..."})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lease.Release(context.Background(), 0)
	fmt.Println(lease.WorkerID(), lease.Class())
}
