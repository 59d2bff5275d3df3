package k8sstore

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// calls are all the ways to ask the server.
func calls(ctx context.Context, s *Store, w store.Write) map[string]func() error {
	return map[string]func() error{
		"Check":      func() error { _, err := s.Check(ctx); return err },
		"View":       func() error { _, err := s.View(ctx, "default", 0, 3); return err },
		"Write":      func() error { _, err := s.Write(ctx, w); return err },
		"Quarantine": func() error { return s.Quarantine(ctx, "default", 1) },
	}
}

// TestFaults are those that leave the server as it is.
func TestFaults(t *testing.T) {
	c := newCluster(t)
	for name, test := range map[string]func(*testing.T, space){
		"silent":  testServerThatDoesNotAnswer,
		"roles":   testRoles,
		"tokens":  testTokens,
		"busy":    testBusyServer,
		"refused": testRefusedWrites,
		"idle":    testIdleHolder,
		"clients": testClients,
		"edited":  testEditedByHand,
	} {
		t.Run(name, func(t *testing.T) {
			inner := *c
			inner.t = t
			test(t, inner.space(name))
		})
	}
}

func testServerThatDoesNotAnswer(t *testing.T, in space) {
	token := in.pod("a")
	made(t, in.as(token))
	proxy := testserver.NewProxy(t, in.server.Addr())
	behind := in.through(proxy.Addr(), token)
	w := write(view(t, behind), true)
	proxy.Hang()
	for what := range calls(t.Context(), behind, w) {
		err := calls(soon(t), behind, w)[what]()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
		assert.ErrorContains(t, err, "the next view shows", what)
	}
	proxy.Drop()
	for what, call := range calls(t.Context(), behind, w) {
		err := call()
		require.Error(t, err, what)
		assert.NotErrorIs(t, err, store.ErrNoNamespace, what)
		assert.NotErrorIs(t, err, store.ErrStore, what)
	}
	proxy.Pass()
	view(t, behind)
}

// testRoles: who may not do something is told what, and the Role that lets him.
func testRoles(t *testing.T, in space) {
	cannot := in.space("roles-none", []map[string]any{}...)
	cannot.roleless(t)
	reader := everything(t, "roles-read")
	for _, rule := range reader["rules"].([]any) {
		rule := rule.(map[string]any)
		var verbs []any
		for _, verb := range rule["verbs"].([]any) {
			if verb != "create" {
				verbs = append(verbs, verb)
			}
		}
		rule["verbs"] = append(verbs, "get")
	}
	may := in.space("roles-read", reader)
	s := may.store("a")
	_, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.ErrorContains(t, err, `cannot create resource "configmaps"`)
	assert.ErrorContains(t, err, "kind: Role")

	other, err := New(config(in.server.Addr(), testserver.KubernetesAdmin),
		Options{Namespace: may.name})
	require.NoError(t, err)
	t.Cleanup(other.api.http.CloseIdleConnections)
	made(t, other)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err, "a namespace that somebody else made needs no right to create")
	require.NoError(t, lease.Release(t.Context(), math.MinInt64))
}

// roleless: every call of an account without a Role says what is missing.
func (in space) roleless(t *testing.T) {
	s := in.store("a")
	for what, call := range calls(t.Context(), s,
		store.Write{Namespace: "default", Expect: []store.Nonce{{}}}) {
		err := call()
		require.True(t, forbidden(errors.Unwrap(err)), "%s: %v", what, err)
		assert.ErrorContains(t, err, "cannot ", what)
		_, text, found := strings.Cut(err.Error(), "with a RoleBinding:\n")
		require.True(t, found, what)
		assert.Equal(t, everything(t, in.name), manifest(t, text), what)
	}
}

// testTokens: a token expires that was not replaced in time. Its holder uses up what was
// granted, and goes on when there is a new one.
func testTokens(t *testing.T, in space) {
	token := in.pod("a")
	file := filepath.Join(t.TempDir(), "token") // as in a pod
	require.NoError(t, os.WriteFile(file, []byte(token), 0o600))
	c := config(in.server.Addr(), "")
	c.BearerTokenFile = file
	var expired atomic.Bool
	old := in.token(in.make("/api/v1/namespaces/"+in.name+"/configmaps", named("b")),
		time.Now().Add(-2*time.Minute))
	s := in.open(disturbed(c,
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			if expired.Load() {
				q = q.Clone(q.Context())
				q.Header.Set("Authorization", "Bearer "+old)
			}
			return send(q)
		}))
	n, err := worker.NewNamespace("default", need, 0, 3, time.Hour)
	require.NoError(t, err)
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{Fresh: true}))
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	expired.Store(true)
	_, err = s.View(t.Context(), "default", 0, 3)
	require.ErrorContains(t, err, "does not know the token")
	assert.NotContains(t, err.Error(), old)
	assert.NoError(t, lease.Err())
	_, hi := lease.Grant()
	expired.Store(false)
	require.Eventually(t, func() bool {
		lease.Want(hi)
		_, now := lease.Grant()
		return now > hi || lease.Err() != nil
	}, time.Minute, 5*time.Millisecond, "the lease goes on")
	assert.NoError(t, lease.Err())
}

// answering answers the next requests that change a row in this way, without the server.
func (in space) answering(token string, status int, header http.Header, body string) (s *Store,
	answers *atomic.Int64, sent *atomic.Int64) {
	answers, sent = new(atomic.Int64), new(atomic.Int64)
	s = in.open(disturbed(config(in.server.Addr(), token),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			if q.Method != http.MethodPatch {
				return send(q)
			}
			sent.Add(1)
			if answers.Add(-1) < 0 {
				return send(q)
			}
			return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: header,
				Body: io.NopCloser(strings.NewReader(body)), Request: q}, nil
		}))
	return s, answers, sent
}

// testBusyServer: what the server has no time for is sent again when it wants.
func testBusyServer(t *testing.T, in space) {
	token := in.pod("a")
	s, answers, sent := in.answering(token, http.StatusTooManyRequests,
		http.Header{"Retry-After": {"1"}}, "busy")
	made(t, s)
	w := write(view(t, s), true)
	sent.Store(0)
	answers.Store(1)
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
	assert.Equal(t, int64(2), sent.Load())

	s, answers, _ = in.answering(token, http.StatusTooManyRequests,
		http.Header{"Retry-After": {"3600"}}, "busy")
	answers.Store(math.MaxInt32)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // less than it is to wait
	defer cancel()
	_, err = s.Write(ctx, write(view(t, s), false))
	require.ErrorContains(t, err, "busy")
}

// testRefusedWrites: a write is sent once, whatever the server says.
func testRefusedWrites(t *testing.T, in space) {
	token := in.pod("a")
	made(t, in.as(token))
	for status, known := range map[int]bool{
		http.StatusConflict:            true,
		http.StatusInternalServerError: false,
		http.StatusServiceUnavailable:  false,
		http.StatusGatewayTimeout:      false,
		http.StatusUnprocessableEntity: false, // of a row that is as it was: not a test that failed
	} {
		s, answers, sent := in.answering(token, status, http.Header{"Retry-After": {"1"}}, "no")
		w := write(view(t, s), true)
		sent.Store(0)
		answers.Store(1)
		applied, err := s.Write(t.Context(), w)
		assert.False(t, applied, status)
		assert.Equal(t, known, err == nil, "%d: %v", status, err)
		assert.Equal(t, int64(1), sent.Load(), status)
		assert.Equal(t, w.Expect[0], view(t, s).Rows[0].Nonce, status)
	}
}

// testIdleHolder: a sign of life is one request, and nothing else is sent or left open.
func testIdleHolder(t *testing.T, in space) {
	var requests, patches, watches, open atomic.Int64
	s := in.open(disturbed(config(in.server.Addr(), in.pod("a")),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			requests.Add(1)
			open.Add(1)
			if q.URL.Query().Has("watch") {
				watches.Add(1)
			}
			answer, err := send(q)
			if err != nil {
				open.Add(-1)
				return nil, err
			}
			if q.Method == http.MethodPatch && answer.StatusCode == http.StatusOK {
				patches.Add(1)
			}
			answer.Body = closing{answer.Body, func() { open.Add(-1) }}
			return answer, nil
		}))
	n, err := worker.NewNamespace("default", need, 0, 3, time.Minute)
	require.NoError(t, err)
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{Fresh: true}))
	c := claim()
	c.TTL = 600 * time.Millisecond // a sign of life each 200 ms
	lease, err := worker.Leased(s, c).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	before, signs := requests.Load(), patches.Load()
	require.Eventually(t, func() bool { return patches.Load() >= signs+20 }, time.Minute,
		time.Millisecond)
	signs = patches.Load() - signs
	if lease.Err() == nil { // else the machine slept past the lease
		assert.LessOrEqual(t, requests.Load()-before, signs+1, "one each, and the next may be under way")
	}
	assert.Zero(t, watches.Load())
	assert.LessOrEqual(t, open.Load(), int64(1))
}

// closing tells that a body was closed.
type closing struct {
	io.ReadCloser
	done func()
}

func (c closing) Close() error { c.done(); return c.ReadCloser.Close() }

// testClients: a client that the caller has serves as well.
func testClients(t *testing.T, in space) {
	token := in.pod("a")
	made(t, in.as(token))
	c := config(in.server.Addr(), token)
	c.NegotiatedSerializer = serializer{}
	c.APIPath, c.GroupVersion = "/apis", &leaseVersion
	client, err := rest.RESTClientFor(c)
	require.NoError(t, err)
	s, err := ForClient(client, Options{Namespace: in.name})
	require.NoError(t, err)
	t.Cleanup(s.api.http.CloseIdleConnections)
	assert.Len(t, view(t, s).Rows, 4)
	class, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, store.Fenced, class)

	_, err = ForClient(nil, Options{})
	require.Error(t, err)
}

func testEditedByHand(t *testing.T, in space) {
	s := in.store("a")
	made(t, s)
	rows, _, err := s.rowsOf(t.Context(), "default", 1, 1)
	require.NoError(t, err)
	_, _, err = s.patch(t.Context(), rows[0], set(rowPath, "{}"))
	require.Error(t, err)
	_, err = s.View(t.Context(), "default", 0, 3)
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "worker id 1")
	_, err = s.View(t.Context(), "default", 0, 0)
	require.NoError(t, err, "others do not mind")
}

func TestOutsideOfACluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	_, err := worker.Leased(InCluster()).Assign(t.Context(), need)
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorIs(t, err, rest.ErrNotInCluster)
	assert.ErrorContains(t, err, "no Kubernetes cluster")
}
