package k8sstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/rollback"
	"github.com/ringuid/ringuid/worker/internal/storeclock"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its objects. The zero value is right in a pod.
type Options struct {
	// Namespace of Kubernetes that the objects are in. Empty: the pod's, and where
	// there is none "default".
	Namespace string

	// Name of the ConfigMap, and the beginning of the Leases' names. Empty: "ringuid".
	Name string

	// WorkerIDs is how many a namespace gets that is made at the first start: 0 and
	// upwards, as far as the layout has them. Zero: 256. Negative: none is made, and
	// that there is none is an error.
	WorkerIDs int64
}

const defaultWorkerIDs = 256

// Store is a store.Store on the Kubernetes API. Its methods may be called from any
// goroutine.
type Store struct {
	api    *api
	name   string
	first  int64 // how many worker ids the first start makes
	pod    pod
	memory memory
	marks  rollback.Memory
	broken error // why there is no server to ask
}

// InCluster is the store of the cluster that this process runs in, and the claim of its
// pod: any worker id of the namespace "default", preferably the one that a pod of this
// name had before.
//
//	assigner := worker.Leased(k8sstore.InCluster())
//
// Outside of a cluster the Assigner returns an error that says so.
func InCluster() (store.Store, worker.Claim) {
	config, err := rest.InClusterConfig()
	if err != nil {
		broken := fmt.Errorf(
			"%w: this process runs in no Kubernetes cluster, or has no token of a service account "+
				"(automountServiceAccountToken: false?): %w; outside of one, use New with a rest.Config",
			store.ErrStore, err)
		return &Store{broken: broken}, worker.Claim{}
	}
	s, err := New(config, Options{})
	if err != nil {
		return &Store{broken: err}, worker.Claim{}
	}
	return s, s.Claim()
}

// New is the store on the server of a configuration: that of rest.InClusterConfig, of a
// kubeconfig, or the one that the caller's own client was made of, whose connection it
// then shares.
func New(config *rest.Config, o Options) (*Store, error) {
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
// clientset.CoordinationV1().RESTClient(). Its limits on requests are not kept: a store
// sends one for each half window.
func ForClient(client rest.Interface, o Options) (*Store, error) {
	c, ok := client.(*rest.RESTClient)
	if !ok || c == nil {
		return nil, errors.New("k8sstore: this client speaks to no server")
	}
	base := c.Verb(http.MethodGet).AbsPath("/").URL()
	return open(cmp.Or(c.Client, http.DefaultClient), base, pod{}, o), nil
}

func open(client *http.Client, base *url.URL, p pod, o Options) *Store {
	at := *base
	at.Path = strings.TrimSuffix(at.Path, "/")
	return &Store{
		api: &api{
			http: client, base: &at, place: cmp.Or(o.Namespace, p.place, "default"),
			clock: storeclock.New(clock.Real()),
		},
		name: cmp.Or(o.Name, "ringuid"), first: cmp.Or(o.WorkerIDs, defaultWorkerIDs), pod: p,
	}
}

// Claim is that of this process: any worker id of the namespace "default", by the pod's
// name, or the machine's.
func (s *Store) Claim() worker.Claim { return worker.Claim{Owner: s.pod.owner()} }

// Close ends connections that are not in use; the client stays its caller's. No store has
// to be closed.
func (s *Store) Close() error {
	if s.api != nil {
		closeIdle(s.api.http.Transport)
	}
	return nil
}

// usable is why nothing can be asked.
func (s *Store) usable(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return s.broken
}

// Check is described at store.Store. It returns Fenced: an API server acknowledges what
// its etcd has acknowledged. What this rests on is in the package's documentation, since
// nobody can ask for it.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	err := s.usable(ctx)
	if err == nil {
		_, err = s.book(ctx)
	}
	if err != nil {
		return store.Unfenced, s.explain("asking the API server", err)
	}
	return store.Fenced, nil
}

// Raise is described at store.Store. It does nothing: etcd keeps what it acknowledged,
// and views show no other server.
func (s *Store) Raise(ctx context.Context, _ store.Raise) (bool, error) {
	return false, context.Cause(ctx)
}
