package idlog

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A spread knows the least, the middle and the largest of any number of values. It
// counts them in buckets that are a sixteenth as wide as their values, as HDR
// histograms do (https://hdrhistogram.org), but below zero too, and only in buckets
// that are needed: there are many spreads, with few different values each. Values
// are within 2*farMillis of zero.
type spread struct {
	n, least, most int64
	buckets        []bucket // by key
	last           int      // the bucket used last
}

type bucket struct {
	key int32
	n   int64
	sum float64 // of its values
}

// subBits is how many bits of a value tell buckets of one size apart.
const subBits = 4

func (s *spread) add(v int64) {
	if s.n == 0 {
		s.least, s.most = v, v
	}
	s.n++
	s.least, s.most = min(s.least, v), max(s.most, v)
	key := keyOf(v)
	if s.last >= len(s.buckets) || s.buckets[s.last].key != key {
		i, found := slices.BinarySearchFunc(s.buckets, key, func(b bucket, key int32) int { return cmp.Compare(b.key, key) })
		if !found {
			s.buckets = slices.Insert(s.buckets, i, bucket{key: key})
		}
		s.last = i
	}
	b := &s.buckets[s.last]
	b.n++
	b.sum += float64(v)
}

// median is the mean of the bucket that has the middle value: right to 1 in 16, and
// quite right where values near it are equal.
func (s *spread) median() int64 {
	left := (s.n + 1) / 2
	for _, b := range s.buckets {
		if left -= b.n; left <= 0 {
			return int64(min(max(math.Round(b.sum/float64(b.n)), float64(s.least)), float64(s.most)))
		}
	}
	return 0
}

// keyOf returns the bucket of a value. Values up to 31 have one each; beyond, the
// key is the number of bits and the first ones of them.
func keyOf(v int64) int32 {
	if v < 0 {
		return -keyOf(-v)
	}
	shift := max(bits.Len64(uint64(v))-subBits-1, 0)
	return int32(shift<<subBits) + int32(v>>shift)
}
