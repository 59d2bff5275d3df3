package k8sstore

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker/store"
)

// hanging is an Init that hangs before it sends a request for which at is true, until
// goOn is called, which waits for its end.
func (in space) hanging(token string, at func(q *http.Request) bool) (goOn func()) {
	in.t.Helper()
	arrived, hold := make(chan struct{}, 16), make(chan struct{})
	s := in.open(disturbed(config(in.server.Addr(), token), func(q *http.Request, send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		if at(q) {
			select {
			case arrived <- struct{}{}:
			default: // it has been seen to hang
			}
			<-hold
		}
		return send(q)
	}))
	var init errgroup.Group
	n := smallNamespace(in.t)
	init.Go(func() error { return s.Init(in.t.Context(), n, store.InitOptions{Fresh: true}) })
	<-arrived
	return func() {
		in.t.Helper()
		close(hold)
		require.NoError(in.t, init.Wait())
	}
}

func createsLease(q *http.Request) bool { return q.Method == http.MethodPost && isLease(q) }

// settles: the request writes the record of a layout, and no namespace.
func settles(q *http.Request) bool {
	if q.Method != http.MethodPatch || isLease(q) {
		return false
	}
	body, err := q.GetBody()
	if err != nil {
		return false
	}
	var ops []op
	if json.NewDecoder(body).Decode(&ops) != nil {
		return false
	}
	writes := func(key string) bool {
		return slices.ContainsFunc(ops, func(o op) bool { return o.Op == "add" && strings.HasPrefix(o.Path, "/data/"+key) })
	}
	return writes(keySpace) && !writes(keyNamespace)
}

// testCreatedLate: an Init hangs before it creates a Lease. Another one makes the namespace,
// the worker id is granted, and somebody deletes its Lease. The first Init goes on.
func testCreatedLate(t *testing.T, in space) {
	token := in.pod("a")
	s := in.as(token)
	late := in.hanging(token, createsLease)
	made(t, s)
	_, hi := held(t, s, only(1))
	in.cluster.hands(t, s).DropRow("default", 1)
	late()
	assert.Greater(t, after(t, in.as(token), only(1)), hi)
}

// testGoneMeanwhile: as before, but the other one has not marked the worker ids as given
// yet when somebody deletes the namespace and all its Leases. Then the first Init goes on,
// and finds the book as it left it.
func testGoneMeanwhile(t *testing.T, in space) {
	token := in.pod("a")
	s := in.as(token)
	late := in.hanging(token, createsLease)
	other := in.hanging(token, settles)
	_, hi := held(t, s, only(1))
	in.cluster.hands(t, s).DropNamespace("default")
	in.deleteAll(in.leases())
	late()
	other()
	assert.Greater(t, after(t, in.as(token), only(1)), hi)
}
