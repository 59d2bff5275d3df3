package bench

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestVerifyFindsADuplicate(t *testing.T) {
	g := faulty(func(_ context.Context, n int64) (uid.ID, error) {
		if n == 500_000 {
			return 17, nil
		}
		return uid.ID(n), nil
	})
	r, err := Run(t.Context(), Config{
		Generator: g, Count: 1_000_000, Goroutines: 2, Verify: true,
	})
	require.ErrorIs(t, err, ErrDuplicate)
	assert.EqualValues(t, 1, *r.Duplicates)
	assert.ErrorContains(t, err, "1, the first: 17")
}

func TestVerifyFindsIDsOutOfOrder(t *testing.T) {
	g := faulty(func(_ context.Context, n int64) (uid.ID, error) { return uid.ID(n ^ 1), nil })
	r, err := Run(t.Context(), Config{Generator: g, Count: 1000, Goroutines: 1, Verify: true})
	require.ErrorIs(t, err, errOrder)
	assert.NotErrorIs(t, err, ErrDuplicate)
	assert.EqualValues(t, 499, *r.OrderViolations)
}

func TestOrderIsCheckedAcrossLegs(t *testing.T) {
	assert.EqualValues(t, 0, outOfOrder([]uid.ID{5, 6, 9}, 4))
	assert.EqualValues(t, 1, outOfOrder([]uid.ID{5, 6, 9}, 5), "the same again")
	assert.EqualValues(t, 2, outOfOrder([]uid.ID{5, 4, 9, 9}, 4))
}

// What was taken until an interrupt, and between takes that failed, is checked too.
func TestVerifyLeavesNoIdOut(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	g := faulty(func(_ context.Context, n int64) (uid.ID, error) {
		switch {
		case n == 5000:
			interrupt()
		case n%100 == 0:
			return 0, errors.New("not now")
		case n == 4999:
			return 17, nil
		}
		return uid.ID(n), nil
	})
	r, err := Run(ctx, Config{
		Generator: g, Goroutines: 1, Verify: true, Duration: time.Hour,
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, ErrDuplicate)
	assert.Positive(t, r.Errors)
	assert.Zero(t, r.UnverifiedIDs)
	assert.ErrorContains(t, err, "1, the first: 17")
}

func TestVerifyRefusesACountThatDoesNotFit(t *testing.T) {
	_, err := Run(t.Context(), Config{
		Generator: &fake{}, Count: 1 << 40, Verify: true, verifyMemory: 1 << 20,
	})
	require.ErrorIs(t, err, errMemory)
	assert.ErrorContains(t, err, "half of the free memory was 1.0 MiB")
}

func TestVerifyEndsWhereItsMemoryDoes(t *testing.T) {
	sparse := faulty(func(_ context.Context, n int64) (uid.ID, error) { return uid.ID(n << 20), nil })
	r, err := Run(t.Context(), Config{
		Generator: sparse, Count: 1 << 24, Goroutines: 1, Verify: true, verifyMemory: 1 << 24,
	})
	require.ErrorIs(t, err, errMemory)
	assert.Less(t, r.IDs, int64(1<<24))
	assert.Zero(t, *r.Duplicates)
	assert.Positive(t, r.UnverifiedIDs)
	assert.Less(t, r.UnverifiedIDs, r.IDs)
}
