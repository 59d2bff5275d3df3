package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

// initFlags are the flags of worker init, as typed.
type initFlags struct {
	workerFlags
	layout     layoutFlags
	fresh, yes bool
}

func newWorkerInit() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create the table or rows that worker ids come from",
		Long: `Init creates what worker ids come from. It changes nothing that exists, so you can run it
again, also beside running processes.

In a database it creates the table WORKER_NODE, which gives each start of a process a new
worker id. On MySQL and MariaDB that is the table of Baidu's UidGenerator, so that Java and
Go processes can share it.

With --layout, which other stores need, it creates a row for each worker id that is recycled,
for the ids of that layout. Processes create these rows by themselves, so you need this only
if they may not (Claim.ExistingOnly), or if the first start must not wait. Rows of another
layout than theirs keep processes out for a minute.

The ids of new rows begin a minute after the store's clock, above everything that an earlier
row can have been granted. With ticks of a minute or more that is long. There --fresh makes
them begin now. It relies on you: nothing checks that no process has ever taken ids of this
layout from this store.`,
		Example: `  uidbench worker init --store sqlite:worker.db
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid
  uidbench worker init --store postgres://uid:secret@db.example.com/uid --layout 41/10/12@1ms
  uidbench worker init --store etcd://etcd.example.com:2379 --layout 41/10/12@1ms --workers 0-63
  uidbench worker init --store redis://cache.example.com:6379/0 --layout 20/10/33@1h --fresh --yes`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), c.OutOrStdout()) },
	}
	f.bind(cmd)
	flags := cmd.Flags()
	f.bindAssigner(cmd, "processes will take worker ids by")
	f.layout.bind(cmd)
	flags.Var(workerRange{&f.assigner.claim}, "workers",
		"create rows for these worker ids, `FIRST-LAST` (default: 0-1023, or what the layout holds)")
	f.assigner.bindAllowed(flags)
	flags.BoolVar(&f.fresh, "fresh", false,
		"no process has ever taken ids of this layout from this store: begin now")
	flags.BoolVar(&f.yes, "yes", false, "confirm what --fresh says")
	return cmd
}

func (f *initFlags) run(ctx context.Context, stdout io.Writer) error {
	aboutLeases := f.layout.given() || f.fresh || f.assigner.claim.AllowUnfenced ||
		f.assigner.claim.AllowOtherLayouts
	if aboutLeases && f.assigner.name == "" {
		f.assigner.name = leased
	}
	s, err := f.open()
	if err != nil {
		return err
	}
	defer s.close()
	if f.assigner.recycled() {
		return f.createRows(ctx, s, stdout)
	}
	if aboutLeases {
		return usagef("--layout, --preset, --epoch, --fresh, --allow-unfenced and " +
			"--allow-other-layouts are about recycled worker ids: leave them out, or type --assigner leased")
	}
	if err := s.makeTable(ctx); err != nil {
		return err
	}
	made := map[string]string{"table": "WORKER_NODE", "store": s.name}
	return f.format.print(stdout, made, "WORKER_NODE is ready in %s\n"+
		"It is for worker.Disposable. Rows for worker.Leased are created with --layout.", s.name)
}

func (f *initFlags) createRows(ctx context.Context, s *store, stdout io.Writer) error {
	if f.layout.layout == "" && f.layout.preset == "" {
		return usagef("which layout? rows are for the ids of one, and keep out processes that have " +
			"another: type the bits of their Config.Layout, such as --layout 41/10/12@1ms, and its --epoch")
	}
	layout, err := f.layout.named()
	if err != nil {
		return err
	}
	if err := checkOver(layout, time.Now()); err != nil {
		return err
	}
	if f.fresh && !f.yes {
		return usagef("--fresh gives ids twice if any process has ever taken ids of layout %s from %s: "+
			"add --yes if none has", bench.FormatLayout(layout), s.name)
	}
	f.assigner.claim.Logger = slog.New(slog.DiscardHandler)
	v, err := worker.Init(ctx, s.leases, f.assigner.claim, layout.Need(), f.fresh)
	switch {
	case errors.Is(err, worker.ErrClaim), errors.Is(err, worker.ErrIDRange):
		return usageError{err}
	case err != nil:
		return f.assigner.hint(err)
	}
	p := describePool(v)
	return f.format.print(stdout, p, "%s for layout %s in %s; %s",
		human.Count(int64(len(v.Rows)), "worker id"), p.Layout, s.name, firstStart(v))
}

// firstStart returns when a process can get a worker id of a pool.
func firstStart(v workerstore.View) string {
	var first workerstore.Row
	any := false
	for _, row := range v.Rows {
		if row.Open && !grants.Live(v, row) && (!any || grants.Next(v, row) < grants.Next(v, first)) {
			first, any = row, true
		}
	}
	if !any {
		return "all of them are held"
	}
	if from, parked := grants.Parked(v, first); parked {
		return fmt.Sprintf("the first process can start at %s, in %s", from.Format(time.RFC3339),
			human.Wait(v.Now, from))
	}
	return "processes can start now"
}
