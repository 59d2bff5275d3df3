package uid

import (
	"context"
	"hash/maphash"
	"math"
	"sync"
	"sync/atomic"
)

// Keyed gives ids of which those of different names may be equal, by design:
// each name has a sequence of its own, as raindrop's NewIdByCode has. Use one name
// for each table or kind of thing whose ids must differ, and never mix them. Ids
// of a name may equal those of the generator's own GetUID, too.
//
// Ids of one name are unique, and ordered as the generator's are. They have the
// generator's layout, worker id and policies, and each name has a tick's ids of
// its own per tick.
//
// Any number of names takes the same memory, about 90 KiB: a name is hashed to
// one of a fixed number of sequences. Names that meet in one share its numbers,
// which costs them gaps and nothing else. All methods may be called from any
// number of goroutines.
type Keyed struct {
	g     *DefaultGenerator
	seed  maphash.Seed
	slots [keyedSlots]sequence
}

// keyedSlots is a power of two, so that a hash is cut to it evenly.
const keyedSlots = 256

// keyedOnce makes a generator's Keyed when it is first asked for.
type keyedOnce struct {
	once sync.Once
	made atomic.Pointer[Keyed]
}

// Keyed returns the generator's sequences by name: the same at every call, so
// that a name has one sequence. They end with the generator.
func (g *DefaultGenerator) Keyed() *Keyed {
	g.keyed.once.Do(func() {
		k := &Keyed{g: g, seed: maphash.MakeSeed()}
		for i := range k.slots {
			g.rules.init(&k.slots[i])
		}
		g.keyed.made.Store(k)
	})
	return g.keyed.made.Load()
}

// GetUID returns the name's next id. Any string is a name, also an empty one. It
// waits and fails as DefaultGenerator.GetUID does.
func (k *Keyed) GetUID(name string) (ID, error) { return k.g.take(noContext, k.slot(name)) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (k *Keyed) GetUIDContext(ctx context.Context, name string) (ID, error) {
	return k.g.take(ctx, k.slot(name))
}

func (k *Keyed) slot(name string) *sequence {
	return &k.slots[maphash.String(k.seed, name)%keyedSlots]
}

// eachSequence calls do with the generator's own sequence and with those of
// names, if there are any.
//
// Sequences that are made meanwhile need no call from swap: whoever takes from
// one loads the tenure after it was made, and swap has stored its tenure before
// it looks here.
func (g *DefaultGenerator) eachSequence(do func(*sequence)) {
	do(&g.seq)
	if k := g.keyed.made.Load(); k != nil {
		for i := range k.slots {
			do(&k.slots[i])
		}
	}
}

// lastMinted is the highest tick of an id, counted from the Unix epoch.
func (g *DefaultGenerator) lastMinted() int64 {
	highest := int64(-1)
	g.eachSequence(func(s *sequence) { highest = max(highest, g.highest(s)) })
	if highest < 0 {
		return math.MinInt64
	}
	return g.firstTick + g.tickOf(highest)
}
