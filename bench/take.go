package bench

import (
	"context"

	"github.com/ringuid/ringuid/uid"
)

// A taker fills dst with ids and returns how many it got, fewer only with an
// error. It is called for many ids at once, so that the loops between it and the
// generator are as tight as a user's.
type taker interface {
	take(ctx context.Context, dst []uid.ID) (int, error)
}

func newTaker(c Config) taker {
	if c.Batch > 0 {
		return batches{c.Generator.(Batcher), c.Batch}
	}
	if g, ok := c.Generator.(*uid.CachedGenerator); ok {
		return cached{g}
	}
	return singles{c.Generator}
}

type singles struct{ Generator }

func (g singles) take(ctx context.Context, dst []uid.ID) (int, error) {
	for i := range dst {
		id, err := g.GetUIDContext(ctx)
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

// cached is singles again, word for word, for a generator whose take is so short
// that calling it through an interface costs another four percent.
type cached struct{ *uid.CachedGenerator }

func (g cached) take(ctx context.Context, dst []uid.ID) (int, error) {
	for i := range dst {
		id, err := g.GetUIDContext(ctx)
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

type batches struct {
	Batcher
	size int
}

func (g batches) take(_ context.Context, dst []uid.ID) (int, error) {
	n := 0
	for n < len(dst) {
		k := min(g.size, len(dst)-n)
		ids, err := g.AppendUIDs(dst[n:n:n+k], k)
		n += len(ids)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
