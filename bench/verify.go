package bench

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

const examples = 3 // duplicates to name

// seen is a set of ids, and what was found when they were added.
type seen struct {
	*idset.Set
	limit int64 // bytes

	ids        int64 // that were added, those that came before too
	duplicates int64
	first      []uid.ID // duplicates
}

// add checks ids and keeps them. It fails when the set is full.
func (s *seen) add(ids []uid.ID) error {
	for _, id := range ids {
		if s.Add(id) {
			s.duplicates++
			if len(s.first) < examples {
				s.first = append(s.first, id)
			}
		}
		if s.Bytes() > s.limit {
			return memoryError(s.Bytes(), s.limit)
		}
		s.ids++
	}
	return nil
}

func memoryError(need, limit int64) error {
	return fmt.Errorf("%w: they need %s or more, and half of the free memory was %s: take fewer",
		errMemory, humanize.IBytes(uint64(need)), humanize.IBytes(uint64(limit)))
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
