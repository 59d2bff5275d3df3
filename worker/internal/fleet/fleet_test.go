package fleet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAFleetOnASoundStoreIsSound(t *testing.T) {
	s := memstore.New()
	f := Start(t, s, s)
	f.Recovers("nothing happened")
	silent := f.members[0]
	silent.CutOff()
	f.Join(s).Leave()
	silent.Mend()
	f.Recovers("a worker id was taken over")
	f.Finish()
}

// careless is a store that shows rows without how far they were granted.
type careless struct{ store.Store }

func (c careless) View(ctx context.Context, namespace string, first, last int64) (store.View, error) {
	v, err := c.Store.View(ctx, namespace, first, last)
	for i := range v.Rows {
		v.Rows[i].High = v.TickAt(v.Now)
	}
	return v, err
}

func TestATakeoverThatForgetsTheGrantIsFoundOut(t *testing.T) {
	s := memstore.New()
	f := Start(t, s)
	f.Recovers("nothing happened")
	f.members[0].CutOff()
	f.Join(careless{s})
	f.Recovers("a worker id was taken over")
	_, twice := f.end()
	assert.NotEmpty(t, twice)
}

// forgetful is a store that acknowledges a write and loses it.
type forgetful struct{ store.Store }

func (forgetful) Write(context.Context, store.Write) (bool, error) { return true, nil }

func TestALostWriteIsFoundOut(t *testing.T) {
	s := memstore.New()
	f := Start(t, s)
	f.members[0].Leave()
	v, err := f.View(s)
	require.NoError(t, err)
	f.mustBeSound("so far")

	lossy := &witness{Store: forgetful{s}, ledger: f.ledger}
	w := store.Write{Worker: 0, Expect: []store.Nonce{v.Rows[0].Nonce}, Nonce: store.Nonce{1}, High: v.Rows[0].High + 1}
	applied, err := lossy.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
	_, err = f.View(s)
	require.NoError(t, err)
	assert.NotEmpty(t, f.ledger.faults())
}
