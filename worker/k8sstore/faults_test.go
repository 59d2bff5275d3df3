package k8sstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// asking are all the ways to ask the server.
func asking(ctx context.Context, s store.Store, w store.Write) map[string]func() error {
	calls := leasetest.Calls(ctx, s, w)
	delete(calls, "Check") // which asks nobody
	return calls
}

// TestFaults are those that leave the server as it is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, space){
		"silent":   testServerThatDoesNotAnswer,
		"roles":    testRoles,
		"starting": testServerThatStarts,
		"tokens":   testTokens,
		"busy":     testBusyServer,
		"refused":  testRefusedWrites,
		"idle":     testIdleHolder,
		"start":    testStart,
		"first":    testFirstStart,
		"edited":   testEditedByHand,
		"shown":    testShownToPeople,
		"names":    testTwoNames,
		"missing":  testMissingNamespace,
	} {
		t.Run(name, func(t *testing.T) { test(t, on(t).space(name)) })
	}
}

func testServerThatDoesNotAnswer(t *testing.T, in space) {
	proxy := testserver.NewProxy(t, in.server.Addr())
	behind := in.through(proxy.Addr(), in.pod("a"))
	leasetest.Make(t, behind)
	w := leasetest.Acquisition(leasetest.View(t, behind))
	proxy.Hang()
	for what := range asking(t.Context(), behind, w) {
		err := asking(leasetest.Soon(t), behind, w)[what]()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
		sent := what == "Create" || what == "Write" || what == "Delete"
		assert.Equal(t, sent, strings.Contains(err.Error(), "whether it was done is not known"), what)
	}
	proxy.Drop()
	for what, call := range asking(t.Context(), behind, w) {
		err := call()
		require.Error(t, err, what)
		assert.NotErrorIs(t, err, worker.ErrStore, what)
	}
	proxy.Pass()
	leasetest.View(t, behind)
}

// testRoles: an account that may not do something is told what, and once which Role it needs.
func testRoles(t *testing.T, in space) {
	cannot := in.space("roles-none", []map[string]any{}...).store("a")
	refused := 0
	calls := asking(t.Context(), cannot,
		store.Write{Pool: leasetest.Pool, Expect: make([]store.Nonce, 1)})
	delete(calls, "Now") // everybody is told the time
	for what, call := range calls {
		err := call()
		var status apierrors.APIStatus
		require.ErrorAs(t, err, &status, what)
		assert.EqualValues(t, http.StatusForbidden, status.Status().Code, what)
		assert.ErrorContains(t, err, "cannot ", what)
		assert.NotContains(t, err.Error(), "not known", what)
		_, text, found := strings.Cut(err.Error(), "with a RoleBinding:\n")
		require.Equal(t, refused == 0, found, "%s: %v", what, err)
		if found {
			assert.Equal(t, everything(t, "roles-none"), manifest(t, text), what)
		}
		refused++
	}
	_, err := cannot.Now(t.Context())
	require.NoError(t, err)

	reader := everything(t, "roles-read")
	rule := reader["rules"].([]any)[0].(map[string]any)
	rule["verbs"] = []any{"get", "list", "patch"}
	may := in.space("roles-read", reader)
	s := may.store("a")
	_, err = worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.ErrorContains(t, err, `cannot create resource "leases"`)
	assert.Equal(t, 1, strings.Count(err.Error(), "kind: Role"), err)

	leasetest.Make(t, may.through(in.server.Addr(), testserver.KubernetesAdmin))
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err, "rows that somebody else made need no right to create")
	require.NoError(t, lease.Release(t.Context(), math.MinInt64))
}

// testServerThatStarts: it forbids everything until it has read the roles. That is no reason
// to print one.
func testServerThatStarts(t *testing.T, in space) {
	var forbids atomic.Int64
	var starts atomic.Bool
	s := in.open(disturbed(config(in.server.Addr(), in.pod("a")),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			switch {
			case isLease(q) && forbids.Add(-1) >= 0:
				return answer(q, http.StatusForbidden, "cannot list resource"), nil
			case strings.HasSuffix(q.URL.Path, "/readyz") && starts.Load():
				return answer(q, http.StatusInternalServerError, "[-]informer-sync failed"), nil
			}
			return send(q)
		}))
	forbids.Store(1)
	starts.Store(true)
	_, err := s.View(t.Context(), leasetest.Pool, 0, 3)
	require.ErrorContains(t, err, "has not read the roles yet")
	assert.NotContains(t, err.Error(), "kind: Role")

	forbids.Store(1)
	starts.Store(false) // between the answer and the question whether it is ready
	leasetest.View(t, s)

	forbids.Store(2)
	_, err = s.View(t.Context(), leasetest.Pool, 0, 3)
	require.ErrorContains(t, err, "kind: Role")
}

// answer is one that no server sent.
func answer(q *http.Request, status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status),
		Header: http.Header{"Retry-After": {"1"}},
		Body:   io.NopCloser(strings.NewReader(body)), Request: q}
}

// testTokens: a token expires that was not replaced in time. Its holder uses up what was
// granted, and continues when there is a new one.
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
	_, claim := New(c, Options{})
	assert.Equal(t, "a", claim.Owner)
	leasetest.Make(t, s)
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	expired.Store(true)
	_, err = s.View(t.Context(), leasetest.Pool, 0, 3)
	require.ErrorContains(t, err, "does not know the token")
	assert.ErrorIs(t, err, worker.ErrDenied)
	assert.NotContains(t, err.Error(), old)
	assert.NoError(t, lease.Err())
	_, hi := lease.Grant()
	expired.Store(false)
	require.Eventually(t, func() bool {
		lease.Want(hi)
		_, now := lease.Grant()
		return now > hi || lease.Err() != nil
	}, time.Minute, 5*time.Millisecond, "the lease is renewed again")
	assert.NoError(t, lease.Err())
}

// answering answers the next requests of a method in this way, without the server.
func (in space) answering(token, method string, status int) (s store.Store, answers,
	sent *atomic.Int64) {
	answers, sent = new(atomic.Int64), new(atomic.Int64)
	s = in.open(disturbed(config(in.server.Addr(), token),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			if q.Method != method || !isLease(q) {
				return send(q)
			}
			sent.Add(1)
			if answers.Add(-1) < 0 {
				return send(q)
			}
			return answer(q, status, "no"), nil
		}))
	return s, answers, sent
}

// testBusyServer: a question that the server has no time for is asked again when the server wants.
func testBusyServer(t *testing.T, in space) {
	token := in.pod("a")
	leasetest.Make(t, in.as(token))
	s, answers, sent := in.answering(token, http.MethodGet, http.StatusTooManyRequests)
	answers.Store(1)
	leasetest.View(t, s)
	assert.EqualValues(t, 2, sent.Load())
}

// testRefusedWrites: a write is sent once, whatever the server says.
func testRefusedWrites(t *testing.T, in space) {
	token := in.pod("a")
	leasetest.Make(t, in.as(token))
	const unknown = "writing worker id 0"
	for status, says := range map[int]string{
		http.StatusConflict:            "<nil>",
		http.StatusTooManyRequests:     "busy",
		http.StatusInternalServerError: unknown,
		http.StatusServiceUnavailable:  unknown,
		http.StatusGatewayTimeout:      unknown,
		http.StatusUnprocessableEntity: unknown, // of a row that is as it was: not a test that failed
	} {
		s, answers, sent := in.answering(token, http.MethodPatch, status)
		w := leasetest.Acquisition(leasetest.View(t, s))
		answers.Store(1)
		applied, err := s.Write(t.Context(), w)
		assert.False(t, applied, status)
		assert.Contains(t, fmt.Sprint(err), says, status)
		assert.EqualValues(t, 1, sent.Load(), status)
		assert.Equal(t, w.Expect[0], leasetest.View(t, s).Rows[0].Nonce, status)
	}
}

// counts are the requests of a store.
type counts struct {
	all, lists, posts, patches atomic.Int64
	first                      atomic.Int64 // posts before the second patch
	open                       atomic.Int64 // answers that nobody has closed
}

func (in space) counted(token string) (store.Store, *counts) {
	n := new(counts)
	return in.open(disturbed(config(in.server.Addr(), token),
		func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
			n.all.Add(1)
			switch {
			case q.Method == http.MethodPost:
				n.posts.Add(1)
			case q.Method == http.MethodPatch && n.patches.Add(1) == 2:
				n.first.Store(n.posts.Load())
			case strings.HasSuffix(q.URL.Path, "/leases"):
				n.lists.Add(1)
			}
			answer, err := send(q)
			if err == nil {
				n.open.Add(1)
				answer.Body = closing{answer.Body, func() { n.open.Add(-1) }}
			}
			return answer, err
		})), n
}

// closing tells that a body was closed.
type closing struct {
	io.ReadCloser
	done func()
}

func (c closing) Close() error { c.done(); return c.ReadCloser.Close() }

// testStart: where all rows are there, a process that starts sends three requests, one of which
// lists the rows.
func testStart(t *testing.T, in space) {
	token := in.pod("a")
	leasetest.Make(t, in.as(token))
	untilGranted(t, func() store.Store { return in.as(token) })
	s, n := in.counted(token)
	c := leasetest.Claim()
	c.TTL = time.Hour // no sign of life is due
	lease, err := worker.Leased(s, c).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.Never(t, func() bool { return n.lists.Load() > 1 }, 300*time.Millisecond, time.Millisecond)
	assert.EqualValues(t, 3, n.all.Load(), "the time, the rows, and the write")
	require.NoError(t, lease.Release(t.Context(), math.MinInt64))
}

// untilGranted waits until a process that starts may take rows that were just made. It knows the
// server's time to a second.
func untilGranted(t *testing.T, of func() store.Store) {
	leasetest.Until(t, "the rows may be taken", func() error {
		v := leasetest.View(t, of())
		for _, row := range v.Rows {
			if until, parked := grants.NotBefore(v, row); parked {
				return fmt.Errorf("worker id %d cannot be taken before %s", row.Worker, until)
			}
		}
		return nil
	})
}

// testFirstStart: where there is no row, a process creates the one that it needs. The server
// shows whole seconds, and yet that row counts as new.
func testFirstStart(t *testing.T, in space) {
	s, n := in.counted(in.pod("a"))
	c := leasetest.Claim()
	c.Count = 1024
	lease, err := worker.Leased(s, c).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.EqualValues(t, 1, n.first.Load(), "when it was opened, and is taken")
	require.NoError(t, lease.Release(t.Context(), math.MinInt64))
}

// testIdleHolder: a sign of life is three short requests, of which one is for the time, and
// nothing else is sent or left open.
func testIdleHolder(t *testing.T, in space) {
	s, n := in.counted(in.pod("a"))
	leasetest.Make(t, s)
	c := leasetest.Claim()
	c.TTL = 600 * time.Millisecond // a sign of life each 200 ms
	lease, err := worker.Leased(s, c).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)

	first := n.patches.Load()
	signed := func(m int64) func() bool { return func() bool { return n.patches.Load() >= first+m } }
	require.Eventually(t, signed(3), time.Minute, time.Millisecond)
	before, listed, signs := n.all.Load(), n.lists.Load(), n.patches.Load()
	require.Eventually(t, signed(23), time.Minute, time.Millisecond)
	signs = n.patches.Load() - signs
	if lease.Err() == nil { // else the machine slept past the lease
		assert.LessOrEqual(t, n.all.Load()-before, 3*(signs+1), "the next may be under way")
		assert.Equal(t, listed, n.lists.Load(), "the Leases are not listed")
	}
	assert.LessOrEqual(t, n.open.Load(), int64(1))
}

// testEditedByHand: whoever edits a Lease is told to delete it, and that is all.
func testEditedByHand(t *testing.T, in space) {
	s := in.store("a")
	leasetest.Make(t, s)
	for edited, annotations := range map[int64]map[string]string{
		1: {rowAnnoted: "{}"}, 2: {layoutKey: "another"}, 3: {rowAnnoted: ""},
	} {
		name := of(s).leaseName(keyOf(edited))
		lease := map[string]any{}
		path := in.leases() + "/" + name
		require.NoError(t, in.admin(http.MethodGet, path, nil, &lease))
		has := lease["metadata"].(map[string]any)["annotations"].(map[string]any)
		for key, text := range annotations {
			has[key] = text
		}
		require.NoError(t, in.admin(http.MethodPut, path, lease, nil))
		for _, first := range []int64{0, edited} {
			v, err := s.View(t.Context(), leasetest.Pool, first, edited)
			require.ErrorIs(t, errors.Join(err, v.Unreadable), worker.ErrStore, name)
		}
		require.NoError(t, in.admin(http.MethodDelete, path, nil, nil))
		leasetest.View(t, s)
	}
	assert.Len(t, leasetest.View(t, s).Rows, 1)
}

// testShownToPeople: `kubectl get leases` shows the holders, and little else is stored.
func testShownToPeople(t *testing.T, in space) {
	s := in.store("a")
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.Owner = "orders-1"
	leasetest.Write(t, s, w)
	shown := func() (l lease) {
		path := in.leases() + "/" + of(s).leaseName(keyOf(0))
		require.NoError(t, in.admin(http.MethodGet, path, nil, &l))
		assert.Equal(t, program, l.Metadata.Labels[managedBy])
		assert.Empty(t, l.Metadata.ManagedFields, "nobody looks at them")
		return l
	}
	held := shown()
	assert.Equal(t, "orders-1", held.Spec.HolderIdentity)
	assert.EqualValues(t, 60, held.Spec.LeaseDurationSeconds)
	assert.WithinDuration(t, time.Now(), held.Spec.RenewTime, 5*time.Second)

	v := leasetest.View(t, s)
	w = leasetest.Acquisition(v)
	w.Acquire, w.Release, w.High, w.Owner = false, true, v.Rows[0].High, "orders-1"
	leasetest.Write(t, s, w)
	assert.Empty(t, shown().Spec.HolderIdentity)
	assert.Equal(t, "orders-1", leasetest.View(t, s).Rows[0].Owner, "who had it is remembered")
}

// lease is a Lease as others read it.
type lease struct {
	object
	Spec struct {
		HolderIdentity       string
		LeaseDurationSeconds int
		RenewTime            time.Time
	}
}

func testMissingNamespace(t *testing.T, in space) {
	in.name = "nobody-made-it"
	leasetest.TestFailsAtOnce(t, in.as(testserver.KubernetesAdmin), worker.ErrNoTables,
		"create the Kubernetes namespace nobody-made-it, or correct Options.Namespace")
}

// testTwoNames: stores of two Names in one Kubernetes namespace do not see each other's rows.
func testTwoNames(t *testing.T, in space) {
	token := in.pod("a")
	one := in.as(token)
	other, _ := New(config(in.server.Addr(), token), Options{Namespace: in.name, Name: "other"})
	t.Cleanup(func() { hangUp(other) })
	leasetest.Make(t, one)
	assert.Empty(t, leasetest.View(t, other).Rows)
	leasetest.Make(t, other)
	require.NoError(t, other.Delete(t.Context(), ""))
	assert.Empty(t, leasetest.View(t, other).Rows)
	assert.Len(t, leasetest.View(t, one).Rows, 4)
}

func TestOutsideOfACluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	s, c := InCluster()
	_, err := worker.Leased(s, c).Assign(t.Context(), leasetest.Need)
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorIs(t, err, rest.ErrNotInCluster)
	assert.ErrorContains(t, err, "no Kubernetes cluster")
	for what, call := range asking(t.Context(), s, store.Write{Pool: leasetest.Pool}) {
		assert.ErrorIs(t, call(), rest.ErrNotInCluster, what)
	}
}

// Neither a server's warning nor an answer that is cut off is written to the process' stderr.
func TestNothingIsWrittenToStderr(t *testing.T) {
	var out bytes.Buffer
	klog.LogToStderr(false)
	klog.SetOutput(&out)
	defer klog.LogToStderr(true)
	for _, body := range []io.Reader{strings.NewReader("{}"), iotest.ErrReader(errLost)} {
		s, _ := New(disturbed(&rest.Config{Host: "http://127.0.0.1:1"},
			func(q *http.Request, _ func(*http.Request) (*http.Response, error)) (*http.Response, error) {
				r := answer(q, http.StatusOK, "")
				r.Header.Set("Warning", `299 - "an old API"`)
				r.Body = io.NopCloser(body)
				return r, nil
			}), Options{Namespace: "default"})
		_, _ = s.View(t.Context(), leasetest.Pool, 0, 3)
	}
	klog.Flush()
	assert.Empty(t, out.String())
}
