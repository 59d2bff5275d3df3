package k8sstore

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// keep has a finalizer keep a Lease whoever deletes it, or no longer.
func (s space) keep(worker int64, finalizers string) {
	s.t.Helper()
	l := of(s.as(testserver.KubernetesAdmin))
	err := l.one(l.api.Patch(types.MergePatchType), keyOf(worker)).
		Body([]byte(`{"metadata": {"finalizers": ` + finalizers + `}}`)).Do(s.t.Context()).Error()
	require.NoError(s.t, err)
}

// A Lease that was deleted, and that a finalizer keeps, is no row: who holds it takes another, a
// quarantine has deleted it, and nobody takes what it says, which may be from before a restore.
func TestAFinalizerKeepsALease(t *testing.T) {
	in := on(t).space("finalizer")
	s := in.store("a")
	claim := worker.Claim{First: 1, Count: 2}
	_, err := worker.Init(t.Context(), s, claim, leasetest.Need)
	require.NoError(t, err)
	held, err := worker.Leased(s, worker.Claim{First: 1, Count: 1}).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	in.keep(1, `["example.org/keep"]`)
	w := leasetest.Acquisition(leasetest.View(t, s))
	_, err = worker.Quarantine(t.Context(), s, worker.QuarantineOptions{})
	require.NoError(t, err)
	require.NoError(t, in.admin(http.MethodGet, in.leases()+"/"+of(s).leaseName(keyOf(1)), nil, nil))

	v, err := s.View(t.Context(), leasetest.Pool, 0, 9)
	require.NoError(t, err)
	assert.Empty(t, v.Rows)
	v, err = s.View(t.Context(), leasetest.Pool, 1, 1)
	require.NoError(t, err)
	assert.Empty(t, v.Rows)
	w.Acquire = false
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied, "of a view from before that")
	require.NoError(t, held.Release(t.Context(), 0), "it is gone")

	_, err = worker.Init(t.Context(), in.store("b"), claim, leasetest.Need)
	require.ErrorContains(t, err, "a finalizer keeps it: remove example.org/keep")
	in.keep(1, "null")
	v, err = worker.Init(t.Context(), in.store("c"), claim, leasetest.Need)
	require.NoError(t, err)
	assert.Len(t, v.Rows, 2)
}
