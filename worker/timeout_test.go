package worker

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// silent is a store that stops answering, as if the network were down: calls end
// with their context alone.
type silent struct {
	*memstore.Store
	views, raises bool // which calls are answered
}

func (s silent) View(ctx context.Context, p Pool, first, last int64) (store.View, error) {
	if !s.views {
		<-ctx.Done()
		return store.View{}, context.Cause(ctx)
	}
	return s.Store.View(ctx, p, first, last)
}

func (s silent) Raise(ctx context.Context, r store.Raise) (bool, error) {
	if !s.raises {
		<-ctx.Done()
		return false, context.Cause(ctx)
	}
	return s.Store.Raise(ctx, r)
}

// A generator that asks for another worker id has no other bound than this.
func TestATimeoutBoundsEachCallOfAnAssign(t *testing.T) {
	for name, s := range map[string]silent{"View": {}, "Raise": {views: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s.Store = memstore.New()
				s.Restart("another server")
				begin := time.Now()
				_, err := Leased(s, Claim{Timeout: 2 * time.Second}).Assign(context.Background(), need)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, 2*time.Second, time.Since(begin))
			})
		})
	}
}

// Two copies of a machine have the same random numbers ahead of them.
func TestCopiesWithTheSameRandomNumbersHaveNoncesOfTheirOwn(t *testing.T) {
	copied := func(resumed time.Time) Claim {
		wall := func() time.Time { return resumed }
		mono := func() time.Duration { return 0 }
		return Claim{}.rigged(wall, mono, rand.NewChaCha8([32]byte{1}))
	}
	at := time.Unix(1_800_000_000, 0)
	assert.NotEqual(t, copied(at).nonce(), copied(at.Add(1)).nonce())
}
