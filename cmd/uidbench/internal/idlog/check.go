package idlog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

// Config says how Check reads and what it may take.
type Config struct {
	// Layout is that of most ids. Ids of others are checked just as well, but take more memory.
	Layout uid.Layout

	// IDColumn is the number of the column with the id, from 1, or its name in the first line
	// of each input. "": the first.
	IDColumn string

	Memory int64 // bytes to keep ids in
}

var (
	// ErrDuplicate is wrapped by Report.Verdict when an id came twice.
	ErrDuplicate = errors.New("an id came twice")

	// ErrEmpty is wrapped by Check when there is no id to check.
	ErrEmpty = errors.New("there are no ids")

	// ErrMemory is wrapped by Check when ids do not fit in Config.Memory.
	ErrMemory = errors.New("too many ids")
)

// Check reads inputs and compares all their ids. The error wraps ErrLine or ErrEmpty, or says
// which input cannot be read. When it wraps ErrMemory or is ctx's cause, the report, which is
// Interrupted then, has what was found until then.
func Check(ctx context.Context, c Config, inputs []Input) (Report, error) {
	k := &check{Config: c, set: idset.New(c.Layout), found: Report{Files: len(inputs)}}
	err := k.readAll(ctx, inputs)
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil && k.found.IDs == 0:
		err = fmt.Errorf("%w in %s", ErrEmpty, namesOf(inputs))
	case err == nil || errors.Is(err, ErrMemory):
		k.findFirstPlaces(ctx, inputs)
	}
	k.found.Interrupted = ctx.Err() != nil || errors.Is(err, ErrMemory)
	return k.found, err
}

// check is the state of a Check.
type check struct {
	Config
	set   *idset.Set
	found Report
}

func (k *check) readAll(ctx context.Context, inputs []Input) error {
	for _, in := range inputs {
		previous := uid.ID(-1)
		err := in.eachID(ctx, k.IDColumn, func(id uid.ID, at Place) error {
			if id <= previous {
				k.found.OutOfOrder++
			}
			previous = id
			return k.add(id, at)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add keeps an id, and counts it as a duplicate if it is kept already.
func (k *check) add(id uid.ID, at Place) error {
	k.found.IDs++
	if k.set.Add(id) {
		k.found.Duplicates++
		if len(k.found.FirstDuplicates) < Examples {
			k.found.FirstDuplicates = append(k.found.FirstDuplicates, Duplicate{id, []Place{at}})
		}
	}
	if need := k.set.Bytes(); need > k.Memory {
		return fmt.Errorf("%w: the %s until %v take more than the %s of memory allowed",
			ErrMemory, humanize.Comma(k.found.IDs), at, humanize.IBytes(uint64(k.Memory)))
	}
	return nil
}

var errFound = errors.New("all were found")

// findFirstPlaces reads inputs once more, for where the duplicates to be named were first.
// An input that cannot be read now, or again, leaves that open.
func (k *check) findFirstPlaces(ctx context.Context, inputs []Input) {
	wanted := map[uid.ID][]*Duplicate{} // an id that came three times is there twice
	for i := range k.found.FirstDuplicates {
		d := &k.found.FirstDuplicates[i]
		wanted[d.ID] = append(wanted[d.ID], d)
	}
	for _, in := range inputs {
		if in.Once || len(wanted) == 0 {
			continue
		}
		_ = in.eachID(ctx, k.IDColumn, func(id uid.ID, at Place) error {
			for _, d := range wanted[id] {
				if at != d.Places[0] { // else it was first in an input that cannot be read again
					d.Places = []Place{at, d.Places[0]}
				}
			}
			if delete(wanted, id); len(wanted) == 0 {
				return errFound
			}
			return nil
		})
	}
}

func namesOf(inputs []Input) string {
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}
