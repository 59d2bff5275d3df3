package uid

import (
	"context"
	"strings"
	"time"
)

// Keyed is the sequence of one name, as of raindrop's NewIdByCode: ids of different names
// may be equal, by design. Use one name for each table or kind of thing whose ids must
// differ, and never mix them. Ids of a name may also equal those of the generator's own
// GetUID.
//
// Ids of one name are unique, and ordered as the generator's are. They have the
// generator's layout, worker id and policies, and end with the generator.
//
// Each name has all ids of a tick to itself, whatever others take. It takes about 850 bytes
// for as long as the generator lives: name tables and kinds, of which there are thousands at
// most, and not customers or requests.
//
// All methods may be called from any number of goroutines. The zero Keyed has no name.
type Keyed struct {
	g *DefaultGenerator
	s *sequence
}

// Keyed returns the sequence of a name, which is the same one each time. Any string is a
// name, even an empty one. To find it costs about as much as an id does: keep it for a name
// that is asked for often.
func (g *DefaultGenerator) Keyed(name string) Keyed {
	s, ok := g.named.Load(name)
	if !ok { // a copy, since a name in a buffer that is used again must not change here
		s, _ = g.named.LoadOrStore(strings.Clone(name), new(sequence))
	}
	return Keyed{g, s.(*sequence)}
}

// GetUID returns the name's next id, as DefaultGenerator.GetUID does.
func (k Keyed) GetUID() (ID, error) { return k.GetUIDContext(noContext) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (k Keyed) GetUIDContext(ctx context.Context) (ID, error) {
	if id, ok := k.s.next(time.Since(k.g.start)); ok {
		return id, nil
	}
	id, _, err := k.g.take(ctx, k.s, 1)
	return id, err
}

// AppendUIDs appends n of the name's next ids to dst, as DefaultGenerator.AppendUIDs
// does.
func (k Keyed) AppendUIDs(dst []ID, n int) ([]ID, error) {
	return k.AppendUIDsContext(noContext, dst, n)
}

// AppendUIDsContext is AppendUIDs, but goes on as long as ctx lasts, and no longer,
// whether it waits or not.
func (k Keyed) AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error) {
	return appendSpans(ctx, dst, n, k.g.fields.step(),
		func(limit int) (int64, int, error) { return k.span(ctx, limit) })
}

// span takes up to limit ids of a tick: n of them, from first on.
func (k Keyed) span(ctx context.Context, limit int) (first int64, n int, err error) {
	id, count, err := k.g.take(ctx, k.s, int64(limit))
	return int64(id), int(count), err
}

// eachSequence calls do with the generator's own sequence and with those of names.
//
// Sequences that are made meanwhile, which Range may miss, need no call from flush: their
// first call loads the lease after they were made, and whoever flushes has stored the lease
// before it looks here.
func (g *DefaultGenerator) eachSequence(do func(*sequence)) {
	do(&g.seq)
	g.named.Range(func(_, s any) bool {
		do(s.(*sequence))
		return true
	})
}

// totals are the highest value of all sequences, and how many were given out.
func (g *DefaultGenerator) totals() (highest, taken int64) {
	highest = -1
	g.eachSequence(func(s *sequence) {
		last, n := s.given()
		highest, taken = max(highest, last), taken+n
	})
	return highest, taken
}

// lastMinted is the highest tick of an id, counted from the Unix epoch.
func (g *DefaultGenerator) lastMinted() int64 {
	highest, _ := g.totals()
	return g.unixTickOf(highest)
}
