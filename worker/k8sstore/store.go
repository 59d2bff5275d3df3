package k8sstore

import (
	"cmp"
	"fmt"

	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its Leases. The zero value is right in a pod.
type Options struct {
	// Namespace is the Kubernetes namespace of the Leases. Empty: the pod's, or "default" if there
	// is none.
	Namespace string

	// Name begins the Leases' names, and is the value of a label that they have. Stores with
	// different Names know nothing of each other's worker ids. Empty: "ringuid".
	Name string
}

// InCluster returns the store of the cluster that this process runs in, and the claim of its
// pod: any worker id, preferably the one that a pod of this name had before.
//
//	assigner := worker.Leased(k8sstore.InCluster())
//
// Outside of a cluster the Assigner returns an error that says so.
func InCluster() (store.Store, worker.Claim) {
	config, err := rest.InClusterConfig()
	if err != nil {
		err = fmt.Errorf(
			"%w: this process runs in no Kubernetes cluster, or has no token of a service account "+
				"(automountServiceAccountToken: false?): %w; outside of one, use New with a rest.Config",
			worker.ErrStore, err)
	}
	return open(config, err, Options{})
}

// New returns the store on the server of a configuration, and the claim of this process, in the
// name of the pod or of the machine. The configuration comes from a kubeconfig, or is the one
// that the caller's own client was made from, whose connection the store then shares. Its limit
// on requests is ignored. If the configuration cannot be used, Check returns an error.
func New(config *rest.Config, o Options) (store.Store, worker.Claim) {
	var err error
	if config == nil {
		err = fmt.Errorf("%w: the configuration is nil: pass what rest.InClusterConfig returns",
			worker.ErrClaim)
	}
	return open(config, err, o)
}

// open returns the store of a configuration, or one that says why there is none.
func open(config *rest.Config, err error, o Options) (store.Store, worker.Claim) {
	// Each row is created and then opened, so all processes together send 20 requests a second, in
	// addition to the cluster's other load.
	const rowsPerSecond = 10
	var a *api
	var p pod
	if err == nil {
		p, err = podOf(config)
	}
	if err == nil {
		a, err = newAPI(config)
	}
	if err != nil {
		a, _ = newAPI(&rest.Config{}) // of no server; no request is sent
		a.broken = err
	}
	l := &leases{
		api:       a,
		namespace: cmp.Or(o.Namespace, p.namespace, "default"),
		name:      cmp.Or(o.Name, program),
	}
	return textstore.New("k8sstore", rowsPerSecond, l, clock.Real()), worker.Claim{Owner: p.owner()}
}
