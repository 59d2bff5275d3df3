package k8sstore

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its Leases. The zero value is right in a pod.
type Options struct {
	// Namespace of Kubernetes that the Leases are in. Empty: the pod's, and where there is
	// none "default".
	Namespace string

	// Name is the beginning of the Leases' names, and a label that they have. Stores with
	// different Names know nothing of each other's worker ids. Empty: "ringuid".
	Name string
}

// Store is a store.Store on the Kubernetes API. Its methods may be called from any
// goroutine.
type Store struct {
	*textstore.Store
	leases *leases
	pod    pod
}

// InCluster is the store of the cluster that this process runs in, and the claim of its
// pod: any worker id, preferably the one that a pod of this name had before.
//
//	assigner := worker.Leased(k8sstore.InCluster())
//
// Outside of a cluster the Assigner returns an error that says so.
func InCluster() (store.Store, worker.Claim) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return broken(fmt.Errorf(
			"%w: this process runs in no Kubernetes cluster, or has no token of a service account "+
				"(automountServiceAccountToken: false?): %w; outside of one, use New with a rest.Config",
			worker.ErrStore, err)), worker.Claim{}
	}
	s, err := New(config, Options{})
	if err != nil {
		return broken(err), worker.Claim{}
	}
	return s, s.Claim()
}

// New is the store on the server of a configuration: that of rest.InClusterConfig, of a
// kubeconfig, or the one that the caller's own client was made of, whose connection it
// then shares.
func New(config *rest.Config, o Options) (*Store, error) {
	if config == nil {
		return nil, errors.New("k8sstore: the configuration is nil: pass what " +
			"rest.InClusterConfig returns")
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("k8sstore: %w", err)
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("k8sstore: %w", err)
	}
	token := config.BearerToken
	if config.BearerTokenFile != "" {
		text, err := os.ReadFile(config.BearerTokenFile)
		if err != nil {
			return nil, fmt.Errorf("k8sstore: the token of the service account: %w", err)
		}
		token = string(text)
	}
	return open(client, base, podOf(strings.TrimSpace(token)), o), nil
}

// ForClient is the store on a client that the caller has, such as
// clientset.CoordinationV1().RESTClient(). The client's limits on requests are not kept.
func ForClient(client rest.Interface, o Options) (*Store, error) {
	c, ok := client.(*rest.RESTClient)
	if !ok || c == nil {
		return nil, errors.New("k8sstore: this client speaks to no server")
	}
	base := c.Verb(http.MethodGet).AbsPath("/").URL()
	return open(cmp.Or(c.Client, http.DefaultClient), base, pod{}, o), nil
}

// pace is how many Leases a second all processes together create: each of them is created
// and opened, so that is 20 requests, beside what the cluster has to do.
const pace = 10

func open(client *http.Client, base *url.URL, p pod, o Options) *Store {
	l := &leases{
		api:       newAPI(client, base),
		namespace: cmp.Or(o.Namespace, p.namespace, "default"),
		name:      cmp.Or(o.Name, program),
	}
	return &Store{textstore.New("k8sstore", pace, l, clock.Real()), l, p}
}

// broken is a store that has no server to ask.
func broken(why error) *Store {
	s := open(http.DefaultClient, &url.URL{}, pod{}, Options{})
	s.leases.api.broken = why
	return s
}

// Claim is that of this process: any worker id, in the name of the pod, or of the machine.
func (s *Store) Claim() worker.Claim { return worker.Claim{Owner: s.pod.owner()} }

// Close ends connections that are not in use; the client stays its caller's. No store has
// to be closed.
func (s *Store) Close() error {
	s.leases.api.close()
	return nil
}
