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
		return batches{c.Generator, c.Batch}
	}
	if c.Stream {
		return stream{c.Generator.(streamer).Stream()}
	}
	if g, ok := c.Generator.(*uid.CachedGenerator); ok {
		return cached{g}
	}
	return singles{c.Generator}
}

type singles struct {
	g interface {
		GetUIDContext(context.Context) (uid.ID, error)
	}
}

func (s singles) take(ctx context.Context, dst []uid.ID) (int, error) {
	for i := range dst {
		id, err := s.g.GetUIDContext(ctx)
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

// cached takes ids by GetUID, which is what the figures are about. It does so without an
// interface in between, which would cost four percent. Close wakes a take that waits at the end
// of the run, as it wakes a batch.
type cached struct{ *uid.CachedGenerator }

func (g cached) take(_ context.Context, dst []uid.ID) (int, error) {
	for i := range dst {
		id, err := g.GetUID()
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

type streamer interface {
	Stream() *uid.Stream
}

// stream belongs to one loader, as every taker does.
type stream struct{ *uid.Stream }

func (s stream) take(_ context.Context, dst []uid.ID) (int, error) {
	for i := range dst {
		id, err := s.GetUID()
		if err != nil {
			return i, err
		}
		dst[i] = id
	}
	return len(dst), nil
}

type batches struct {
	g interface {
		AppendUIDs(dst []uid.ID, n int) ([]uid.ID, error)
	}
	size int
}

func (b batches) take(_ context.Context, dst []uid.ID) (int, error) {
	n := 0
	for n < len(dst) {
		k := min(b.size, len(dst)-n)
		ids, err := b.g.AppendUIDs(dst[n:n:n+k], k)
		n += len(ids)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
