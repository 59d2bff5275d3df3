package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker"
)

type initFlags struct {
	workerFlags
	layout     cli.Layout
	fresh, yes bool
}

func newWorkerInit() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create the table or rows that worker ids come from",
		Long: `Init creates what worker ids come from. It changes nothing that exists, so you can run it
again, also beside running processes; but rows of another layout of which none is in use are
deleted, as by a process, unless --allow-other-layouts is given.

In a database it creates the table WORKER_NODE, which gives each start of a process a new
worker id. On MySQL and MariaDB that is the table of Baidu's UidGenerator, so that Java and
Go processes can share it. Where it is, worker.Leased takes at most half of the worker ids.

With --layout, which other stores need, it creates a row for each worker id that is recycled,
for the ids of that layout. Processes create these rows by themselves, so you need this only
if they may not (Claim.ExistingOnly), or if the first start must not wait.

The ids of new rows begin a minute after the store's clock, or up to four ticks if that is
longer, above everything that an earlier row can have been granted. Until then they keep out
processes that have another layout. If that is long, --fresh makes them begin now, with ticks
of a minute or more. It relies on you: nothing checks that no process has ever taken ids of
this layout with these worker ids, from whatever store.`,
		Example: `  ringuid worker init --store sqlite:worker.db
  ringuid worker init --store mysql://uid:secret@db.example.com:3306/uid
  ringuid worker init --store postgres://uid:secret@db.example.com/uid --layout 41/10/12@1ms
  ringuid worker init --store etcd://etcd.example.com:2379 --layout 41/10/12@1ms --workers 0-63
  ringuid worker init --store redis://cache.example.com:6379/0 --layout 20/10/33@1h --fresh --yes`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.bind(cmd)
	flags := cmd.Flags()
	f.layout.Bind(cmd)
	flags.Var(cli.Workers(&f.claim), "workers",
		"create rows for these worker ids, `FIRST-LAST` (default: those of a claim that names none)")
	flags.BoolVar(&f.claim.AllowUnfenced, "allow-unfenced", false,
		"also create rows in a store whose settings may lose worker ids")
	flags.BoolVar(&f.claim.AllowOtherLayouts, "allow-other-layouts", false,
		"allow other layouts in the same store: their ids and these never meet")
	flags.BoolVar(&f.fresh, "fresh", false,
		"no process has ever taken ids of this layout with these worker ids: begin now")
	flags.BoolVar(&f.yes, "yes", false, "confirm what --fresh says")
	return cmd
}

func (f *initFlags) run(c *cobra.Command) error {
	s, err := f.open()
	if err != nil {
		return err
	}
	defer s.Close()
	f.claim.Logger = cli.Logger(c, slog.LevelWarn)
	if s.Table == nil || f.layout.Given() || f.fresh || f.claim.AllowUnfenced ||
		f.claim.AllowOtherLayouts || f.claim.Count > 0 {
		return f.createRows(c.Context(), s, c.OutOrStdout())
	}
	if err := s.Table.CreateTable(c.Context()); err != nil {
		return err
	}
	made := map[string]string{"table": "WORKER_NODE", "store": s.Name}
	return f.format.Print(c.OutOrStdout(), made, "WORKER_NODE is ready in %s\n"+
		"It is for worker.Disposable, which has to be allowed to read uid_lease, too.\n"+
		"Rows for worker.Leased are created with --layout.", s.Name)
}

func (f *initFlags) createRows(ctx context.Context, s *storeurl.Store, stdout io.Writer) error {
	if f.layout.Layout == "" {
		return cli.Usagef("which layout? rows are for the ids of one, and keep out processes that have " +
			"another: type the bits of their Config.Layout, such as --layout 41/10/12@1ms, and its --epoch")
	}
	layout, err := f.layout.Named()
	if err != nil {
		return err
	}
	if err := cli.CheckOver(layout); err != nil {
		return err
	}
	if f.fresh && !f.yes {
		return cli.Usagef("--fresh gives ids twice if any process has ever taken ids of layout %s "+
			"with these worker ids, from whatever store: add --yes if none has", bits(layout))
	}
	create := worker.Init
	if f.fresh {
		create = worker.InitFresh
	}
	v, err := create(ctx, s.Leases, f.claim, layout.Need())
	switch {
	case errors.Is(err, worker.ErrIDRange):
		return cli.AsUsage(err)
	case errors.Is(err, worker.ErrStore):
		return fmt.Errorf("%w\nor create rows all the same with --allow-unfenced", err)
	case err != nil:
		return err
	}
	p := describePool(v)
	return f.format.Print(stdout, p, "%s for layout %s in %s",
		cli.Count(int64(len(v.Rows)), "worker id"), p.Layout, s.Name)
}
