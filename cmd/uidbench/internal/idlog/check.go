// Package idlog checks logs of ids: whether one came twice, and whether they are in order.
// Ids are kept in memory, in a set as `uidbench run --verify` has it (package idset), which
// finds an id when it comes again. Each id is compared with the one before it in its input.
package idlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

// Config says how Check reads and what it may take.
type Config struct {
	// Layout is that of most ids. Ids of others are checked just as well, but take more memory.
	Layout uid.Layout

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
		err = fmt.Errorf("%w in %s", ErrEmpty, human.Count(int64(len(inputs)), "file"))
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
		err := in.eachID(ctx, func(id uid.ID, at Place) error {
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
			k.found.FirstDuplicates = append(k.found.FirstDuplicates, Duplicate{id, at})
		}
	}
	if need := k.set.Bytes(); need > k.Memory {
		return fmt.Errorf("%w: the %s until %v take more than the %s of memory allowed",
			ErrMemory, humanize.Comma(k.found.IDs), at, humanize.IBytes(uint64(k.Memory)))
	}
	return nil
}
