package uid

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
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
// Each of the first Config.KeyedNames names has all ids of a tick to itself, whatever
// others take. All further names share a fixed number of sequences, so that memory is
// bounded. Names that share a sequence have gaps, and a busy one can use up the tick for
// the others, which then wait or fail as the TickFull policy says. With long ticks and
// many names, set KeyedNames above the number of names.
//
// All methods may be called from any number of goroutines. The zero Keyed has no name.
type Keyed struct {
	g *DefaultGenerator
	s *sequence
}

// Keyed returns the sequence of a name, which is the same one each time. Any string is a
// name, even an empty one. To find it costs about as much as an id does: keep it for a name
// that is asked for often.
func (g *DefaultGenerator) Keyed(name string) Keyed { return Keyed{g, g.names().of(name)} }

// GetUID returns the name's next id, as DefaultGenerator.GetUID does.
func (k Keyed) GetUID() (ID, error) { return k.GetUIDContext(noContext) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (k Keyed) GetUIDContext(ctx context.Context) (ID, error) {
	if id, ok := k.s.next(time.Since(k.g.begin)); ok {
		return id, nil
	}
	id, _, err := k.g.take(ctx, k.s, 1)
	return id, err
}

// AppendUIDs appends n of the name's next ids to dst, as DefaultGenerator.AppendUIDs
// does.
func (k Keyed) AppendUIDs(dst []ID, n int) ([]ID, error) {
	return k.g.appendTo(noContext, k.s, dst, n)
}

// AppendUIDsContext is AppendUIDs, but goes on as long as ctx lasts, and no longer,
// whether it waits or not.
func (k Keyed) AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error) {
	return k.g.appendTo(ctx, k.s, dst, n)
}

// names are the sequences of names.
type names struct {
	seed maphash.Seed

	// A name's sequence never changes, so that its ids are those of one sequence:
	// none is taken out of own, and a name that found no room in it finds none
	// later. Two names with one hash share it, as those without room do.
	own    sync.Map     // from the hash of a name to its *sequence
	room   atomic.Int64 // for so many more names
	adding sync.Mutex
	shared [sharedSequences]sequence
}

const (
	sharedSequences   = 256
	defaultKeyedNames = 4096
	maxKeyedNames     = 1 << 20
)

// names are made when the first name is asked for, and are the same ones from then on.
func (g *DefaultGenerator) names() *names {
	if n := g.named.Load(); n != nil {
		return n
	}
	n := &names{seed: maphash.MakeSeed()}
	n.room.Store(int64(g.c.KeyedNames))
	g.named.CompareAndSwap(nil, n) // else another call was first
	return g.named.Load()
}

// of is the sequence of a name.
func (n *names) of(name string) *sequence {
	hash := maphash.String(n.seed, name)
	if s, ok := n.own.Load(hash); ok {
		return s.(*sequence)
	}
	return n.missed(hash)
}

// missed is the sequence of a name that was not found a moment ago. When there is no
// room, the last of it may have been given to this very name meanwhile: from then on
// nothing is added, so that a second look tells for good.
func (n *names) missed(hash uint64) *sequence {
	if n.room.Load() > 0 {
		n.add(hash)
	}
	if s, ok := n.own.Load(hash); ok {
		return s.(*sequence)
	}
	return &n.shared[hash%sharedSequences]
}

// add gives a name a sequence of its own, unless it has one or there is no more room.
func (n *names) add(hash uint64) {
	n.adding.Lock()
	defer n.adding.Unlock()
	if _, ok := n.own.Load(hash); ok || n.room.Load() == 0 {
		return
	}
	n.own.Store(hash, new(sequence))
	n.room.Add(-1)
}

// eachSequence calls do with the generator's own sequence and with those of
// names, if there are any.
//
// Sequences that are made meanwhile, which Range may miss, need no call from flush: their
// first call loads the lease after they were made, and whoever flushes has stored the lease
// before it looks here.
func (g *DefaultGenerator) eachSequence(do func(*sequence)) {
	do(&g.seq)
	if n := g.named.Load(); n != nil {
		for i := range n.shared {
			do(&n.shared[i])
		}
		n.own.Range(func(_, s any) bool {
			do(s.(*sequence))
			return true
		})
	}
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
