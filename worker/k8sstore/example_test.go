package k8sstore_test

import (
	"context"
	"fmt"

	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/k8sstore"
)

// A worker id from the cluster that the process runs in, without any setting.
func Example() {
	assigner := worker.Leased(k8sstore.InCluster())

	// A generator's constructor does this.
	lease, err := assigner.Assign(context.Background(), worker.Need{MaxID: 1023, Fingerprint: "..."})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lease.Release(context.Background(), 0)
	fmt.Println(lease.WorkerID(), lease.Class())
}

// Worker ids that several services share, each of which has a Role there.
func ExampleNew() {
	config, err := rest.InClusterConfig() // or clientcmd's, of a kubeconfig
	if err != nil {
		fmt.Println(err)
		return
	}
	store, claim := k8sstore.New(config, k8sstore.Options{Namespace: "worker-ids"})
	claim.First, claim.Count = 0, 256 // another cluster has 256 to 511
	assigner := worker.Leased(store, claim)
	_ = assigner // for a generator
}
