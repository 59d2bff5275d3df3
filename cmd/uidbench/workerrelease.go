package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

func newWorkerRelease(stdout io.Writer) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "release ID",
		Short: "Give back a worker id that nobody needs any more",
		Long: `Release gives back a recycled worker id, so that nobody has to wait until its lease
expires, after a crash for example. It does so for worker ids that the same --owner
holds, and for those whose lease has expired. Worker steal takes any.

The next holder's ids begin above everything that was granted to the last one, so this
is safe even if that one is alive.`,
		Example: `  uidbench worker release 17 --store redis://cache.example.com:6379/0
  uidbench worker release 17 --store sqlite:worker.db --owner orders@web-3`,
		Args: oneID,
		RunE: func(c *cobra.Command, args []string) error {
			return f.release(c.Context(), args[0], false, stdout)
		},
	}
	f.bind(cmd)
	bindOwner(cmd.Flags(), &f.assigner.owner)
	return cmd
}

func newWorkerSteal(stdout io.Writer) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "steal ID",
		Short: "Take a worker id away from whoever holds it",
		Long: `Steal gives back a recycled worker id in place of its holder, even if that one is
alive. It gives no duplicates: the next holder's ids begin above everything that was
granted, and the holder notices when it next renews its lease, drops what it has not
handed out, and takes another worker id.`,
		Example: `  uidbench worker steal 17 --store etcd://etcd.example.com:2379/uid`,
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			return f.release(c.Context(), args[0], true, stdout)
		},
	}
	f.bind(cmd)
	return cmd
}

func bindOwner(flags *pflag.FlagSet, owner *string) {
	flags.StringVar(owner, "owner", "",
		"`NAME` of who holds worker ids here (default: "+defaultOwner()+")")
}

func oneID(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("which worker id? type: %s ID", c.CommandPath())
	}
	return nil
}

func (f *workerFlags) release(ctx context.Context, arg string, forced bool,
	stdout io.Writer) error {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 0 {
		return usagef("%q is no worker id: type a number, such as 17", arg)
	}
	s, err := f.openLeases()
	if err != nil {
		return err
	}
	defer s.close()
	v, err := f.free(ctx, s, id, forced)
	if err != nil {
		return f.assigner.hint(err)
	}
	was := v.Rows[0]
	text := fmt.Sprintf("worker id %d is free; its next ids are of %s or later", id,
		formatInstant(grants.Start(v.Pool, grants.Next(v, was))))
	if from, parked := grants.Parked(v, was); parked {
		text += fmt.Sprintf(", granted from %s on", formatInstant(from))
	}
	if !was.Held {
		text += "; nobody held it"
	} else if was.Owner != "" {
		text += "; " + was.Owner + " held it"
	}
	return f.format.print(stdout, describeHolder(v, was, released), "%s", text)
}

// free gives a row back. It returns the row as it was.
func (f *workerFlags) free(ctx context.Context, s *store, id int64, forced bool) (
	workerstore.View, error) {
	p, err := onlyPool(ctx, s, id)
	if err != nil {
		return workerstore.View{}, err
	}
	c := worker.Claim{Owner: f.assigner.owner, Logger: slog.New(slog.DiscardHandler)}
	need := worker.Need{Unit: p.Unit, Fingerprint: p.Layout}
	v, err := worker.Free(ctx, s.leases, c, need, id, forced)
	switch {
	case errors.Is(err, worker.ErrHeld):
		return v, fmt.Errorf(
			"%w: if that is you, type --owner; `uidbench worker steal %d` takes it away all the same", err,
			id)
	case errors.Is(err, worker.ErrClaim):
		return v, usageError{err}
	}
	return v, err
}

// onlyPool is the pool of the place that has a worker id. There is one layout in a place,
// unless somebody has allowed others.
func onlyPool(ctx context.Context, s *store, id int64) (p workerstore.Pool, err error) {
	views, err := s.pools(ctx, id, id)
	if err != nil {
		return p, err
	}
	found := 0
	for _, v := range views {
		if len(v.Rows) > 0 {
			p, found = v.Pool, found+1
		}
	}
	switch found {
	case 0:
		return p, usagef("there is no row for worker id %d in %s: `uidbench worker list` shows those that "+
			"there are", id, s.name)
	case 1:
		return p, nil
	}
	return p, fmt.Errorf("%d layouts have a row for worker id %d in %s: wait until its lease expires",
		found, id, s.name)
}
