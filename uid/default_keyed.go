package uid

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// Keyed gives each name a sequence of its own, as raindrop's NewIdByCode does: ids of
// different names may be equal, by design. Use one name for each table or kind of thing
// whose ids must differ, and never mix them. Ids of a name may also equal those of the
// generator's own GetUID.
//
// Ids of one name are unique, and ordered as the generator's are. They have the
// generator's layout, worker id and policies.
//
// Each of the first Config.KeyedNames names has all ids of a tick to itself, whatever
// others take. All further names share a fixed number of sequences, so that memory is
// bounded. Names that share a sequence have gaps, and a busy one can use up the tick for
// the others, which then wait or fail as the TickFull policy says. With long ticks and
// many names, set KeyedNames above the number of names.
//
// All methods may be called from any number of goroutines.
type Keyed struct {
	g    *DefaultGenerator
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

// Keyed returns the generator's sequences by name. It returns the same ones at each call,
// so that a name has one sequence. They end with the generator.
func (g *DefaultGenerator) Keyed() *Keyed {
	if k := g.keyed.Load(); k != nil {
		return k
	}
	k := &Keyed{g: g, seed: maphash.MakeSeed()}
	k.room.Store(int64(g.c.KeyedNames))
	g.keyed.CompareAndSwap(nil, k) // else another call was first
	return g.keyed.Load()
}

// GetUID returns the name's next id. Any string is a name, even an empty one. It waits
// and fails as DefaultGenerator.GetUID does.
func (k *Keyed) GetUID(name string) (ID, error) { return k.Key(name).GetUID() }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (k *Keyed) GetUIDContext(ctx context.Context, name string) (ID, error) {
	return k.Key(name).GetUIDContext(ctx)
}

// AppendUIDs appends n of the name's next ids to dst, as DefaultGenerator.AppendUIDs
// does.
func (k *Keyed) AppendUIDs(name string, dst []ID, n int) ([]ID, error) {
	return k.Key(name).AppendUIDs(dst, n)
}

// AppendUIDsContext is AppendUIDs, but goes on as long as ctx lasts, and no
// longer, whether it waits or not.
func (k *Keyed) AppendUIDsContext(ctx context.Context, name string, dst []ID, n int) ([]ID, error) {
	return k.Key(name).AppendUIDsContext(ctx, dst, n)
}

// Key returns the sequence of a name, for who takes many of its ids and would look for it
// each time. It is the name's only one, and ends with the generator.
func (k *Keyed) Key(name string) Key {
	return Key{k.g, k.sequenceOf(maphash.String(k.seed, name))}
}

// Key is the sequence of one name of a Keyed, which Keyed.Key returns. Its methods may be
// called from any number of goroutines. The zero Key has no name.
type Key struct {
	g *DefaultGenerator
	s *sequence
}

// GetUID returns the name's next id, as DefaultGenerator.GetUID does.
func (k Key) GetUID() (ID, error) { return k.GetUIDContext(noContext) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (k Key) GetUIDContext(ctx context.Context) (ID, error) {
	if id, ok := k.s.next(time.Since(k.g.begin)); ok {
		return id, nil
	}
	id, _, err := k.g.take(ctx, k.s, 1)
	return id, err
}

// AppendUIDs appends n of the name's next ids to dst, as DefaultGenerator.AppendUIDs
// does.
func (k Key) AppendUIDs(dst []ID, n int) ([]ID, error) {
	return k.g.appendTo(noContext, k.s, dst, n)
}

// AppendUIDsContext is AppendUIDs, but goes on as long as ctx lasts, and no longer,
// whether it waits or not.
func (k Key) AppendUIDsContext(ctx context.Context, dst []ID, n int) ([]ID, error) {
	return k.g.appendTo(ctx, k.s, dst, n)
}

func (k *Keyed) sequenceOf(hash uint64) *sequence {
	if s, ok := k.own.Load(hash); ok {
		return s.(*sequence)
	}
	return k.missed(hash)
}

// missed is the sequence of a name that was not found a moment ago. When there is no
// room, the last of it may have been given to this very name meanwhile: from then on
// nothing is added, so that a second look tells for good.
func (k *Keyed) missed(hash uint64) *sequence {
	if k.room.Load() > 0 {
		k.add(hash)
	}
	if s, ok := k.own.Load(hash); ok {
		return s.(*sequence)
	}
	return &k.shared[hash%sharedSequences]
}

// add gives a name a sequence of its own, unless it has one or there is no more room.
func (k *Keyed) add(hash uint64) {
	k.adding.Lock()
	defer k.adding.Unlock()
	if _, ok := k.own.Load(hash); ok || k.room.Load() == 0 {
		return
	}
	k.own.Store(hash, new(sequence))
	k.room.Add(-1)
}

// eachSequence calls do with the generator's own sequence and with those of
// names, if there are any.
//
// Sequences that are made meanwhile, which Range may miss, need no call from flush: their first
// call loads
// the lease after they were made, and whoever flushes has stored the lease before
// it looks here.
func (g *DefaultGenerator) eachSequence(do func(*sequence)) {
	do(&g.seq)
	if k := g.keyed.Load(); k != nil {
		for i := range k.shared {
			do(&k.shared[i])
		}
		k.own.Range(func(_, s any) bool {
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
