package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/ringuid/ringuid/internal/testepoch"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/k8sstore"
)

// asService has the test binary be the service.
const asService = "UID_TEST_AS_SERVICE"

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = testepoch.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	if os.Getenv(asService) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// cluster is a real API server.
type cluster struct {
	t      *testing.T
	server *testserver.Server
	http   *http.Client
}

func start(t *testing.T) *cluster {
	server := testserver.Kubernetes(t, []string{testserver.Etcd(t, testserver.Durable()).Addr()})
	client, err := rest.HTTPClientFor(config(server, testserver.KubernetesAdmin))
	require.NoError(t, err)
	return &cluster{t, server, client}
}

// config is how a client reaches the API server.
func config(server *testserver.Server, token string) *rest.Config {
	return &rest.Config{
		Host: server.URL(), BearerToken: token,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}

func (c *cluster) send(method, path, content, body string, into any) {
	c.t.Helper()
	url := c.server.URL() + path
	q, err := http.NewRequestWithContext(c.t.Context(), method, url, strings.NewReader(body))
	require.NoError(c.t, err)
	q.Header.Set("Content-Type", content)
	answer, err := c.http.Do(q)
	require.NoError(c.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(c.t, err)
	require.Less(c.t, answer.StatusCode, 300, "%s %s: %s", method, path, text)
	require.NoError(c.t, json.Unmarshal(text, into))
}

// places are where objects of a kind are.
var places = map[string]string{
	"ServiceAccount": "/api/v1/namespaces/shop/serviceaccounts/",
	"Service":        "/api/v1/namespaces/shop/services/",
	"Role":           "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles/",
	"RoleBinding":    "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/",
	"Deployment":     "/apis/apps/v1/namespaces/shop/deployments/",
	"StatefulSet":    "/apis/apps/v1/namespaces/shop/statefulsets/",
}

// token is one of the service account that the pods have, with further claims.
func (c *cluster) token(claims map[string]any) string {
	c.t.Helper()
	var account object
	c.send(http.MethodGet, places["ServiceAccount"]+"orders", "", "", &account)
	claims["namespace"] = "shop"
	claims["serviceaccount"] = map[string]any{"name": "orders", "uid": account.Metadata.UID}
	const user = "system:serviceaccount:shop:orders"
	return c.server.ServiceAccountToken(user, claims, time.Now().Add(time.Hour))
}

type object struct {
	Kind     string
	Metadata struct{ Name, UID string }
}

// apply does what kubectl apply --server-side does, which refuses fields that there are
// not. query is more of it.
func (c *cluster) apply(file, query string) (kinds []string) {
	c.t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(c.t, err)
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var o, applied object
		require.NoError(c.t, yaml.Unmarshal(document, &o))
		place := places[o.Kind] + o.Metadata.Name
		c.send(http.MethodPatch, place+"?fieldManager=test&fieldValidation=Strict"+query,
			"application/apply-patch+yaml", string(document), &applied)
		kinds = append(kinds, applied.Kind)
	}
	return kinds
}

func TestManifests(t *testing.T) {
	c := start(t)
	var made object
	const namespace = `{"metadata":{"name":"shop"}}`
	c.send(http.MethodPost, "/api/v1/namespaces", "application/json", namespace, &made)
	assert.Equal(t, []string{"ServiceAccount", "Role", "RoleBinding", "Deployment", "Service"},
		c.apply("deployment.yaml", "&dryRun=All"))
	assert.Equal(t, []string{"Service", "StatefulSet"}, c.apply("statefulset.yaml", "&dryRun=All"))

	c.apply("deployment.yaml", "") // and what it allows is enough
	token := c.token(map[string]any{})
	store, err := k8sstore.New(config(c.server, token), k8sstore.Options{Namespace: "shop"})
	require.NoError(t, err)
	testService(t, worker.Leased(store, store.Claim()))

	var role, printed map[string]any
	documents := strings.Split(read(t, "deployment.yaml"), "\n---\n")
	require.NoError(t, yaml.Unmarshal([]byte(documents[1]), &role))
	require.NoError(t, yaml.Unmarshal([]byte(k8sstore.Role("shop")), &printed))
	assert.Equal(t, printed["rules"], role["rules"], "as errors print it")
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func testService(t *testing.T, assigner worker.Assigner) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- serve(ctx, assigner, listener)
		listener.Close() // who fails early does not let clients wait
	}()
	get := func(path string) string {
		answer, err := http.Get("http://" + listener.Addr().String() + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", path, text)
		return string(text)
	}
	var id int64
	_, err = fmt.Sscan(get("/id"), &id)
	require.NoError(t, err)
	assert.Positive(t, id)
	get("/livez")
	get("/readyz")
	assert.Contains(t, get("/metrics"), `generator="orders"`)
	http.DefaultClient.CloseIdleConnections()
	stop()
	require.NoError(t, <-done)
}

func TestOutsideOfACluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	err := run(t.Context(), []string{"-listen", "127.0.0.1:0"}, io.Discard)
	require.ErrorIs(t, err, worker.ErrStore)
	require.False(t, errors.Is(err, context.Canceled))
	err = run(t.Context(), []string{"-kubeconfig", "not-there"}, io.Discard)
	require.ErrorContains(t, err, "not-there")
}
