package preset

import (
	"fmt"

	"github.com/ringuid/ringuid/worker"
)

// Split divides the bits of worker ids into parts, from the left: Split{5, 5} is
// Twitter's data centre and worker, for example. A layout knows only the whole worker
// field; a Split says what its bits mean.
//
// Each part has 0 to 62 bits, and all parts together at most 62.
type Split []int

// maxSplit is the widest worker field of a layout.
const maxSplit = 62

// bits returns the sum of the parts' bits, or an error when there are too many.
func (s Split) bits() (int, error) {
	sum := 0
	for i, bits := range s {
		if bits < 0 || bits > maxSplit-sum {
			return 0, fmt.Errorf("%w: part %d of the split %v has %d bits: set it to 0 to %d",
				worker.ErrIDRange, i+1, []int(s), bits, maxSplit-sum)
		}
		sum += bits
	}
	return sum, nil
}

// Join makes a worker id of its parts, from the left. The error wraps [worker.ErrIDRange] when a
// part does not fit its bits, or the number of parts is wrong.
func (s Split) Join(parts ...int64) (int64, error) {
	if _, err := s.bits(); err != nil {
		return 0, err
	}
	if len(parts) != len(s) {
		return 0, fmt.Errorf("%w: %d parts of a worker id: the split %v has %d", worker.ErrIDRange,
			len(parts), []int(s), len(s))
	}
	var id int64
	for i, part := range parts {
		if largest := int64(1)<<s[i] - 1; part < 0 || part > largest {
			return 0, fmt.Errorf("%w: part %d of the worker id is %d: its %d bits hold 0 to %d",
				worker.ErrIDRange, i+1, part, s[i], largest)
		}
		id = id<<s[i] | part
	}
	return id, nil
}

// Parts returns the parts of a worker id, from the left. The error wraps [worker.ErrIDRange] when
// the worker id does not fit the Split.
func (s Split) Parts(id int64) ([]int64, error) {
	bits, err := s.bits()
	if err != nil {
		return nil, err
	}
	if largest := int64(1)<<bits - 1; id < 0 || id > largest {
		return nil, fmt.Errorf("%w: worker id %d: the %d bits of the split %v hold 0 to %d",
			worker.ErrIDRange, id, bits, []int(s), largest)
	}
	parts := make([]int64, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		parts[i] = id & (int64(1)<<s[i] - 1)
		id >>= s[i]
	}
	return parts, nil
}
