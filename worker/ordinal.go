package worker

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Ordinal takes the worker id from the number at the end of the host name, as the pods of a
// Kubernetes StatefulSet have one: web-0, web-1. base is added to it, to keep several sets
// apart. The lease is [Unfenced]: after a forced deletion Kubernetes starts a second pod of
// the same name, while the first may still run on a node that is out of reach. Assign wraps
// [ErrRange] when there is no such number or it does not fit.
func Ordinal(base int64) Assigner { return ordinal{base, os.Hostname} }

type ordinal struct {
	base int64
	name func() (string, error)
}

func (o ordinal) Assign(ctx context.Context, n Need) (Lease, error) {
	name, err := o.name()
	if err != nil {
		return nil, fmt.Errorf("worker: this machine has no name: %w", err)
	}
	dash := strings.LastIndexByte(name, '-')
	id, err := strconv.ParseInt(name[dash+1:], 10, 32)
	if dash < 0 || err != nil || id < 0 {
		return nil, fmt.Errorf(
			"%w: %q does not end in a dash and a number, as the pods of a StatefulSet do", ErrRange, name)
	}
	return Static(o.base+id).Assign(ctx, n)
}

// FromEnv takes the worker id from an environment variable. The lease is [Unfenced], like
// that of [Static]. Assign wraps [ErrRange] when the variable is not a number that fits.
func FromEnv(variable string) Assigner { return fromEnv{variable, os.Getenv} }

type fromEnv struct {
	variable string
	getenv   func(string) string
}

func (e fromEnv) Assign(ctx context.Context, n Need) (Lease, error) {
	text := strings.TrimSpace(e.getenv(e.variable))
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is %q: set it to a number from 0 to %d", ErrRange, e.variable,
			text, n.MaxID)
	}
	return Static(id).Assign(ctx, n)
}
