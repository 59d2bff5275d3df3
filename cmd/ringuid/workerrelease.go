package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

func newWorkerRelease() *cobra.Command {
	var f workerFlags
	cmd := newFree(&f, false)
	cmd.Use = "release ID"
	cmd.Short = "Release a worker id that no process needs any more"
	cmd.Long = `Release gives back a recycled worker id, so that no process has to wait until its lease
runs out, for example after a crash. It releases worker ids that are held under the name
of --owner, and those whose lease has run out. Worker steal takes any.

This is safe even if the holder is still running: the ids of the next holder begin above
everything that was granted.`
	cmd.Example = `  ringuid worker release 17 --store redis://cache.example.com:6379/0
  ringuid worker release 17 --store sqlite:worker.db --owner orders@web-3`
	cmd.Flags().StringVar(&f.claim.Owner, "owner", "",
		"`NAME` that the worker id is held under, as worker list shows it")
	return cmd
}

func newWorkerSteal() *cobra.Command {
	cmd := newFree(&workerFlags{}, true)
	cmd.Use = "steal ID"
	cmd.Short = "Take a worker id away from the process that holds it"
	cmd.Long = `Steal releases a recycled worker id, even if the process that holds it is running. This
causes no duplicates: the ids of the next holder begin above everything that was granted.
The process notices when it next renews its lease: it discards the ids that it has in
advance, and takes another worker id.`
	cmd.Example = `  ringuid worker steal 17 --store etcd://etcd.example.com:2379`
	return cmd
}

func newFree(f *workerFlags, forced bool) *cobra.Command {
	cmd := &cobra.Command{
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("which worker id? type one: %s ID --store URL", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 0 {
				return cli.Usagef("%q is no worker id: type a number, such as 17", args[0])
			}
			return f.release(c.Context(), id, forced, c.OutOrStdout())
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *workerFlags) release(ctx context.Context, id int64, forced bool,
	stdout io.Writer) error {
	s, err := f.openExisting(withRows, exitNothing)
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := onlyPool(ctx, s, id)
	if err != nil {
		return err
	}
	need := worker.Need{Unit: p.Unit, Fingerprint: p.Layout}
	var v workerstore.View
	if forced {
		v, err = worker.Steal(ctx, s.Leases, need, id)
	} else {
		v, err = worker.Release(ctx, s.Leases, need, id, f.claim.Owner)
	}
	switch {
	case errors.Is(err, worker.ErrHeld):
		return fmt.Errorf("%w: if that is your process's name, type --owner; `ringuid worker steal "+
			"%d` with this --store takes it away all the same", err, id)
	case errors.Is(err, worker.ErrNoRows): // since it was looked for
		return cli.Coded(err, exitNothing)
	case err != nil:
		return err
	}
	was := v.Rows[0] // as it was
	text := fmt.Sprintf("worker id %d is free; its next ids are of %s or later", id,
		cli.FormatInstant(grants.Start(v.Pool, grants.Next(v, was))))
	if !was.Held {
		text += "; nobody held it"
	} else if was.Owner != "" {
		text += "; " + was.Owner + " held it"
	}
	return f.format.Print(stdout, describeHolder(v, was, released), "%s", text)
}

// onlyPool returns the pool of the store's place that has a worker id. A place has one layout,
// unless others were allowed.
func onlyPool(ctx context.Context, s *storeurl.Store, id int64) (p workerstore.Pool, err error) {
	views, err := viewSome(ctx, s, id, id)
	if err != nil {
		return p, err
	}
	views = slices.DeleteFunc(views, func(v workerstore.View) bool { return len(v.Rows) == 0 })
	switch len(views) {
	case 0:
		return p, cli.Coded(fmt.Errorf("there is no row for worker id %d in %s: `ringuid worker list "+
			"--assigner leased` with this --store shows those that there are", id, s.Name), exitNothing)
	case 1:
		return views[0].Pool, nil
	}
	return p, fmt.Errorf("%d layouts have a row for worker id %d in %s: wait until its lease expires",
		len(views), id, s.Name)
}
