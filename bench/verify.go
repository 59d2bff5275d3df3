package bench

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/uid"
)

// A page holds a bit for each of 512 consecutive numbers of ids: one cache line,
// filled by neighbours, and not much lost on an id without any.
const (
	pageBits  = 9
	pageIDs   = 1 << pageBits
	pageBytes = pageIDs / 8
	slabPages = 1 << 12
	indexCost = 40                    // bytes of an entry of the index, with its share of empty ones
	pageCost  = pageBytes + indexCost // bytes of a page in all
	examples  = 3                     // duplicates to name
)

type page [pageIDs / 64]uint64

// seen is a set of ids that says of each whether it came before. Index and pages
// hold no pointers, so that the garbage collector, which would run into the next
// measured round, has nothing to follow.
type seen struct {
	bitOrder
	limit int64          // bytes
	index map[uint64]int // by the bits of a number above those of a page
	slabs [][]page
	pages int

	ids        int64 // that were added, those that came before too
	duplicates int64
	first      []uid.ID // duplicates
}

// newSeen is a set for ids of a layout: others it keeps as well, but not as small.
func newSeen(limit int64, l uid.Layout) *seen {
	return &seen{bitOrder: newBitOrder(l), limit: limit, index: make(map[uint64]int)}
}

// add checks ids and keeps them. It fails when the set is full.
func (s *seen) add(ids []uid.ID) error {
	var (
		key uint64
		p   *page
	)
	for i, id := range ids {
		u := s.number(uint64(id))
		if k := u >> pageBits; p == nil || k != key {
			key, p = k, s.page(k)
			if s.bytes() > s.limit {
				s.ids += int64(i)
				return memoryError(s.bytes(), s.limit)
			}
		}
		word, bit := &p[u%pageIDs/64], uint64(1)<<(u%64)
		if *word&bit != 0 {
			s.duplicate(id)
		}
		*word |= bit
	}
	s.ids += int64(len(ids))
	return nil
}

// page returns the page with this key, a new one if need be.
func (s *seen) page(key uint64) *page {
	i, ok := s.index[key]
	if !ok {
		i = s.pages
		s.pages++
		s.index[key] = i
		if i/slabPages == len(s.slabs) {
			s.slabs = append(s.slabs, make([]page, slabPages))
		}
	}
	return &s.slabs[i/slabPages][i%slabPages]
}

// writePages writes all pages, each after its key.
func (s *seen) writePages(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var b []byte
	for key, i := range s.index {
		b = binary.LittleEndian.AppendUint64(b[:0], key)
		for _, word := range s.slabs[i/slabPages][i%slabPages] {
			b = binary.LittleEndian.AppendUint64(b, word)
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readPages adds as many pages of another set.
func (s *seen) readPages(r io.Reader, pages int) error {
	b := make([]byte, 8+pageBytes)
	for range pages {
		if _, err := io.ReadFull(r, b); err != nil {
			return err
		}
		key := binary.LittleEndian.Uint64(b)
		p := s.page(key)
		if s.bytes() > s.limit {
			return memoryError(s.bytes(), s.limit)
		}
		for i := range p {
			word := binary.LittleEndian.Uint64(b[8+8*i:])
			for both := p[i] & word; both != 0; both &= both - 1 {
				s.duplicate(uid.ID(s.id(key<<pageBits + uint64(64*i+bits.TrailingZeros64(both)))))
			}
			p[i] |= word
		}
	}
	return nil
}

func (s *seen) duplicate(id uid.ID) {
	s.duplicates++
	if len(s.first) < examples {
		s.first = append(s.first, id)
	}
}

// bytes returns about how much memory the set takes.
func (s *seen) bytes() int64 {
	return int64(len(s.slabs))*slabPages*pageBytes + int64(s.pages)*indexCost
}

func memoryError(need, limit int64) error {
	return fmt.Errorf("%w: they take more than the %s allowed (%s so far or at least): allow more, or take fewer",
		ErrMemory, humanize.IBytes(uint64(limit)), humanize.IBytes(uint64(need)))
}

// outOfOrder counts the ids that are not above the one before them, last being
// the one before the first.
func outOfOrder(ids []uid.ID, last uid.ID) (n int64) {
	for _, id := range ids {
		if id <= last {
			n++
		}
		last = id
	}
	return n
}
