package uid

import (
	"context"
	"fmt"
	"slices"
)

// maxBatch is the most ids that AppendUIDs takes, two gigabytes of them.
const maxBatch = 1 << 28

// grownAtOnce is the most ids that a batch makes room for before it has any: a number that was
// mistyped must not take all memory.
const grownAtOnce = 1 << 16

// AppendUIDs appends n ids to dst, taking as many at once as lie in a row. It returns all n of
// them, or those it got and the error. n may exceed what the ring, or a tick, holds. The ids
// increase as those of GetUID do, with the same exceptions. Errors are those of GetUID, and
// ErrRange for an n that is negative or above 2^28.
func (k *core) AppendUIDs(dst []ID, n int) ([]ID, error) {
	return k.AppendUIDsContext(noContext, dst, n)
}

// AppendUIDsContext is AppendUIDs, but continues as long as ctx lasts, and no longer, whether
// it waits or not.
func (k *core) AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error) {
	for dealt := k.dealt.Load(); ; dealt = k.deal() {
		ids, err := k.appendUIDs(ctx, dst, n)
		if k.generation.Load() == dealt {
			return ids, err
		}
	}
}

func (k *core) appendUIDs(ctx context.Context, dst []ID, n int) ([]ID, error) {
	if n < 0 || n > maxBatch {
		return dst, fmt.Errorf("%w: a batch of %d ids: at most %d are taken at once", ErrRange, n,
			maxBatch)
	}
	dst = slices.Grow(dst, min(n, grownAtOnce))
	step := k.fields.step()
	for n > 0 {
		if ctx != noContext && ctx.Err() != nil {
			return dst, context.Cause(ctx)
		}
		first, got, err := k.m.span(ctx, n)
		if err != nil {
			return dst, err
		}
		dst = slices.Grow(dst, got)
		ids := dst[len(dst) : len(dst)+got]
		for i := range ids {
			ids[i] = first
			first += ID(step)
		}
		dst = dst[:len(dst)+got]
		n -= got
	}
	return dst, nil
}
