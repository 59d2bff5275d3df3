package k8sstore

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(shared.Around(m)) }

// Most tests have namespaces of their own on this one.
var shared = testserver.Share(func(t testing.TB) *cluster {
	etcd := testserver.Etcd(t, testserver.Durable())
	return &cluster{etcd: etcd, server: testserver.Kubernetes(t, []string{etcd.Addr()})}
})

// of is the Leases that a store is in.
func of(s store.Store) *leases { return s.(*textstore.Store).Server.(*leases) }

// hangUp ends the connections of a store.
func hangUp(s store.Store) { utilnet.CloseIdleConnectionsFor(of(s).api.Client.Transport) }

// cluster is an API server on an etcd.
type cluster struct {
	t      *testing.T
	etcd   *testserver.Server
	server *testserver.Server
}

// on is the shared cluster, for one test.
func on(t *testing.T) *cluster {
	c := *shared.Get(t)
	c.t = t
	return &c
}

// config is how somebody with a token gets to a server.
func config(addr, token string) *rest.Config {
	return &rest.Config{Host: "https://" + addr, BearerToken: token,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
}

// object is one that the server knows by its text.
type object struct {
	metav1.TypeMeta
	Metadata metav1.ObjectMeta `json:"metadata"`
}

// admin sends a request of somebody who may do everything.
func (c *cluster) admin(method, path string, body, into any) error {
	s, _ := New(config(c.server.Addr(), testserver.KubernetesAdmin), Options{})
	defer hangUp(s)
	r := of(s).api.Verb(method).AbsPath(path).SetHeader("Accept", "application/json")
	if body != nil {
		text, err := json.Marshal(body)
		require.NoError(c.t, err)
		r = r.Body(text)
	}
	text, err := r.Do(c.t.Context()).Raw()
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (c *cluster) make(path string, body any) (made object) {
	c.t.Helper()
	require.NoError(c.t, c.admin(http.MethodPost, path, body, &made))
	return made
}

func named(name string) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name}}
}

// space is a Kubernetes namespace with a service account "app".
type space struct {
	*cluster
	name    string
	account object
}

// space makes one, whose account has the Role for a Store's Options.
func (c *cluster) space(name string, roles ...map[string]any) space {
	c.t.Helper()
	c.make("/api/v1/namespaces", named(name))
	s := space{c, name, c.make("/api/v1/namespaces/"+name+"/serviceaccounts", named("app"))}
	if roles == nil {
		roles = []map[string]any{everything(c.t, name)}
	}
	rbac := "/apis/rbac.authorization.k8s.io/v1/namespaces/" + name
	for _, role := range roles {
		made := c.make(rbac+"/roles", role)
		binding := named(made.Metadata.Name)
		binding["roleRef"] = map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role",
			"name": made.Metadata.Name}
		binding["subjects"] = []any{map[string]any{"kind": "ServiceAccount", "name": "app",
			"namespace": name}}
		c.make(rbac+"/rolebindings", binding)
	}
	return s
}

// pod makes a pod that nobody runs, and returns a token of it.
func (s space) pod(name string) (token string) {
	s.t.Helper()
	body := named(name)
	body["spec"] = map[string]any{
		"serviceAccountName": "app",
		"containers":         []any{map[string]any{"name": "app", "image": "app"}},
	}
	made := s.make("/api/v1/namespaces/"+s.name+"/pods", body)
	return s.token(made, time.Now().Add(time.Hour))
}

func (s space) token(pod object, expires time.Time) string {
	s.t.Helper()
	bound := func(o object) map[string]any {
		return map[string]any{"name": o.Metadata.Name, "uid": string(o.Metadata.UID)}
	}
	return s.server.ServiceAccountToken("system:serviceaccount:"+s.name+":app", map[string]any{
		"namespace": s.name, "serviceaccount": bound(s.account), "pod": bound(pod),
	}, expires)
}

// as is a store of a pod with this token.
func (s space) as(token string) store.Store { return s.through(s.server.Addr(), token) }

func (s space) through(addr, token string) store.Store {
	s.t.Helper()
	return s.open(config(addr, token))
}

func (s space) open(c *rest.Config) store.Store {
	s.t.Helper()
	opened, _ := New(c, Options{Namespace: s.name})
	s.t.Cleanup(func() { hangUp(opened) })
	return opened
}

// store is one of a pod of its own.
func (s space) store(pod string) store.Store { return s.as(s.pod(pod)) }

// everything is the Role that the package's own errors print.
func everything(t *testing.T, namespace string) map[string]any {
	return manifest(t, Role(namespace))
}

func (s space) leases() string {
	return "/apis/coordination.k8s.io/v1/namespaces/" + s.name + "/leases"
}

func keyOf(worker int64) textstore.Key {
	return textstore.Key{Layout: leasetest.Pool.Layout, Worker: worker}
}

// tripper is what a test does to requests on their way.
type tripper func(q *http.Request,
	send func(*http.Request) (*http.Response, error)) (*http.Response, error)

// disturbed is a configuration whose requests go through do.
func disturbed(c *rest.Config, do tripper) *rest.Config {
	c = rest.CopyConfig(c)
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return wrapped{next, do} })
	return c
}

type wrapped struct {
	next http.RoundTripper
	do   tripper
}

func (w wrapped) RoundTrip(q *http.Request) (*http.Response,
	error) {
	return w.do(q, w.next.RoundTrip)
}

// WrappedRoundTripper lets idle connections be found.
func (w wrapped) WrappedRoundTripper() http.RoundTripper { return w.next }

// manifest reads YAML.
func manifest(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(text), &object))
	return object
}

func isLease(q *http.Request) bool { return strings.Contains(q.URL.Path, "/leases") }
