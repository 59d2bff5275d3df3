package worker

import (
	"context"
	"fmt"
)

// A Registrar keeps a row for each start of a process.
type Registrar interface {
	// Register adds a row for n, durably, and returns its key: 1 or more, and
	// never one that it returned before. When it returns an error the key, if
	// there is one, is spent; calling again is safe.
	//
	// A registrar that is a Store too, or shares a database with one, looks at the
	// record of need's layout after it has added the row, and answers a key that a
	// namespace has with Space.Refuse.
	Register(ctx context.Context, n Node, need Need) (id int64, err error)
}

// Disposable registers ThisNode at each Assign and takes the key of its row as
// the worker id, so that no two starts ever have the same. Assign wraps ErrRange
// when the keys have outgrown the layout, and for a key of 0 or less, and
// ErrOverlap when they have come to the worker ids of a namespace.
func Disposable(r Registrar) Assigner { return disposable{r, ThisNode} }

type disposable struct {
	registrar Registrar
	self      func() (Node, error)
}

func (d disposable) Assign(ctx context.Context, n Need) (Lease, error) {
	node, err := d.self()
	if err != nil {
		return nil, err
	}
	id, err := d.registrar.Register(ctx, node, n)
	if err != nil {
		return nil, fmt.Errorf("worker: registering this process: %w", err)
	}
	if err := checkKey(id, n.MaxID); err != nil {
		return nil, err
	}
	return forever{id: id, class: NeverReused}, nil
}

func checkKey(id, maxID int64) error {
	switch {
	case id < 0:
		return fmt.Errorf("%w: the registrar answered %d: its keys must count up from 1", ErrRange, id)
	case id == 0:
		// Every process would get this id: baidu/uid-generator issue 46.
		return fmt.Errorf("%w: the registrar answered 0, which no row has: "+
			"the generated key was lost between the store and its driver, "+
			"or the key column does not count by itself", ErrRange)
	case id > maxID:
		// More worker bits at the cost of sequence bits leave the time where it
		// is, and time has moved on: no new id can equal an old one.
		return fmt.Errorf("%w: %d exceeds %d, the largest that the layout holds; each start spends one: "+
			"take worker bits from the sequence (same epoch and time bits, so that new ids stay above the old), "+
			"or recycle worker ids, or begin a new id space with a new epoch and an empty store",
			ErrRange, id, maxID)
	}
	return nil
}
