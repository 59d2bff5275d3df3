package worker

import "fmt"

// Split divides the bits of worker ids into parts, from the left: Split{5, 5} is
// Twitter's datacenter and worker, or the process and thread of others. Layouts
// know the whole field alone; a Split says what its bits mean.
//
// A part has 0 to 62 bits, all of them together at most 62.
type Split []int

// maxSplit is the widest worker field of a layout.
const maxSplit = 62

// Bits returns how many bits the parts have together: the WorkerBits of a layout
// that fits. A Split with too many bits is an error that wraps [ErrRange].
func (s Split) Bits() (int, error) {
	sum := 0
	for i, bits := range s {
		if bits < 0 || bits > maxSplit-sum {
			return 0, fmt.Errorf("%w: part %d of the split %v has %d bits: set it to 0 to %d", ErrRange, i+1, []int(s), bits, maxSplit-sum)
		}
		sum += bits
	}
	return sum, nil
}

// Join makes a worker id of its parts, from the left. A part that does not fit
// its bits, or a wrong number of parts, is an error that names it and wraps
// ErrRange.
func (s Split) Join(parts ...int64) (int64, error) {
	if _, err := s.Bits(); err != nil {
		return 0, err
	}
	if len(parts) != len(s) {
		return 0, fmt.Errorf("%w: %d parts of a worker id: the split %v has %d", ErrRange, len(parts), []int(s), len(s))
	}
	var id int64
	for i, part := range parts {
		if largest := int64(1)<<s[i] - 1; part < 0 || part > largest {
			return 0, fmt.Errorf("%w: part %d of the worker id is %d: its %d bits hold 0 to %d", ErrRange, i+1, part, s[i], largest)
		}
		id = id<<s[i] | part
	}
	return id, nil
}

// Parts takes a worker id apart, from the left. One that the Split cannot have
// made is an error that wraps ErrRange.
func (s Split) Parts(id int64) ([]int64, error) {
	bits, err := s.Bits()
	if err != nil {
		return nil, err
	}
	if largest := int64(1)<<bits - 1; id < 0 || id > largest {
		return nil, fmt.Errorf("%w: worker id %d: the %d bits of the split %v hold 0 to %d", ErrRange, id, bits, []int(s), largest)
	}
	parts := make([]int64, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		parts[i] = id & (int64(1)<<s[i] - 1)
		id >>= s[i]
	}
	return parts, nil
}
