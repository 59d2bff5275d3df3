package worker_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// making is a store that makes what is not there, or says why it does not.
type making struct {
	*memstore.Store
	fails error
	asked []string
}

func (m *making) MakeNamespace(ctx context.Context, name string, n worker.Need) error {
	m.asked = append(m.asked, name)
	if m.fails != nil {
		return m.fails
	}
	ns, err := worker.NewNamespace(name, n, 0, 3, 0)
	if err != nil {
		return err
	}
	return m.Init(ctx, ns, worker.InitOptions{Fresh: true})
}

func TestAStoreThatMakesItsNamespace(t *testing.T) {
	need := worker.Need{Unit: time.Second, MaxID: 1023, Fingerprint: "a layout"}
	m := &making{Store: memstore.New(), fails: errors.New("not today")}
	a := worker.Leased(m, worker.Claim{Namespace: "orders"})
	_, err := a.Assign(t.Context(), need)
	require.ErrorIs(t, err, m.fails)

	m.fails = nil
	for range 2 {
		l, err := a.Assign(t.Context(), need)
		require.NoError(t, err)
		require.NoError(t, l.Release(t.Context(), math.MinInt64))
	}
	assert.Equal(t, []string{"orders", "orders"}, m.asked, "and no more when it is there")

	other := need
	other.Fingerprint = "another layout"
	_, err = a.Assign(t.Context(), other)
	require.ErrorIs(t, err, worker.ErrNamespace)
	assert.Len(t, m.asked, 2, "it is there, and another's")
}
