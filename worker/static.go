package worker

import (
	"context"
	"fmt"
)

// Static always assigns id, which must be 0 to Need.MaxID; Assign wraps [ErrRange] for any
// other. The lease is [Unfenced]: the caller guarantees that no other process has the id at
// the same time, and that the clock is not set back across a restart.
func Static(id int64) Assigner { return static(id) }

type static int64

func (s static) Assign(_ context.Context, n Need) (Lease, error) {
	id := int64(s)
	if id < 0 {
		return nil, fmt.Errorf("%w: %d is negative: choose one from 0 to %d", ErrRange, id, n.MaxID)
	}
	if id > n.MaxID {
		return nil, fmt.Errorf("%w: %d exceeds %d, the largest that the layout holds: "+
			"choose a smaller one, or a layout with more worker bits", ErrRange, id, n.MaxID)
	}
	return forever{id: id, class: Unfenced}, nil
}
