package worker

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// A generator that asks for another worker id has no other bound than this.
func TestATimeoutBoundsEachCallOfAnAssign(t *testing.T) {
	for name, stops := range map[string]any{"View": lookup{}, "Raise": store.Raise{}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				mem := memstore.New()
				mem.Restart("another server")
				s := through(func(ctx context.Context, call any) answer {
					if reflect.TypeOf(call) == reflect.TypeOf(stops) {
						return hang(ctx)
					}
					return ask(ctx, mem, call)
				})
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
