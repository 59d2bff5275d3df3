package uid

import (
	"context"
	"math"
	"sync"
)

// sequences are the generator's own and those of names.
type sequences struct {
	seq   sequence
	named sync.Map // from a name to its *sequence, which never changes
}

func (s *sequences) span(ctx context.Context, limit int) (first ID, n int, err error) {
	cur := s.seq.cur.Load()
	if v, n, ok := cur.claimUpTo(s.seq.mono(), limit); ok {
		return cur.id(v), n, nil
	}
	return s.seq.take(ctx, limit)
}

func (s *sequences) ready() *block {
	_, _, b := s.seq.try(none)
	return b
}

func (s *sequences) grantChanged() { s.seq.grants.Send() }

// change takes the sequences away from calls that are halfway through.
func (s *sequences) change(_ bool, do func()) (last int64) {
	do()
	last = math.MinInt64
	s.each(func(one *sequence) { last = max(last, one.renew()) })
	s.grantChanged()
	return last
}

// each calls do with the generator's own sequence and with those of names.
//
// Sequences that are made meanwhile, which Range may miss, need no call from flush: their
// first take loads the lease after they were stored, and a call that flushes has stored the
// lease before it looks here.
func (s *sequences) each(do func(*sequence)) {
	do(&s.seq)
	s.named.Range(func(_, one any) bool {
		do(one.(*sequence))
		return true
	})
}
