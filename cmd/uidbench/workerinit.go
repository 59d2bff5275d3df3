package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/worker"
)

// initFlags are the flags of worker init, as typed.
type initFlags struct {
	workerFlags
	layout layoutFlags
	window time.Duration
	fresh  bool
}

func newWorkerInit(stdout io.Writer) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make what worker ids come from, where there is none",
		Long: `Init makes what worker ids come from. One that is there stays as it is, and an
error says if it was made with other settings.

In a database that is the table WORKER_NODE, which gives each start of a process a
new worker id. On MySQL and MariaDB it is the table of Baidu's UidGenerator, so
that Java and Go processes can share it.

With --assigner leased, and in other stores, it is a namespace of worker ids that
are recycled, for the ids of one layout. Its first ids begin behind all that an
earlier namespace of this name may have granted; --fresh says that there was none,
and has them begin now.`,
		Example: `  uidbench worker init --store sqlite:worker.db
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid --assigner leased
  uidbench worker init --store redis://cache.example.com:6379/0 --namespace orders --layout 31/10/22 --fresh
  uidbench worker init --store etcd://etcd.example.com:2379/uid --workers 0-63 --window 10s`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, stdout) },
	}
	f.bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.assigner.name, "assigner", "", "`WAY` in which worker ids will be got: disposable or leased (default: disposable where the store has WORKER_NODE)")
	f.assigner.bindNamespace(flags)
	f.layout.bind(flags)
	flags.Var(&f.assigner.workers, "workers", "worker ids of the namespace, `FIRST-LAST` (default: 0-1023, or what the layout holds)")
	flags.DurationVar(&f.window, "window", worker.DefaultWindow, "how `LONG` ahead of the store's clock worker ids are granted")
	flags.BoolVar(&f.fresh, "fresh", false, "there never was a namespace of this name")
	return cmd
}

func (f *initFlags) run(c *cobra.Command, stdout io.Writer) error {
	set := c.Flags().Changed
	aboutLeases := f.layout.given() || set("window") || f.fresh
	if aboutLeases && f.assigner.name == "" {
		f.assigner.name = leased
	}
	s, err := f.open()
	if err != nil {
		return err
	}
	defer s.close()
	if f.assigner.recycled() {
		return f.makeNamespace(c.Context(), s, stdout)
	}
	if aboutLeases {
		return usagef("--layout, --preset, --epoch, --window and --fresh are about recycled worker ids: leave them out, or type --assigner leased")
	}
	if err := s.makeTable(c.Context()); err != nil {
		return err
	}
	if f.format == "json" {
		return writeJSON(stdout, map[string]string{"table": "WORKER_NODE", "store": s.name})
	}
	_, err = fmt.Fprintf(stdout, "WORKER_NODE is ready in %s\n", s.name)
	return err
}

// defaultWorkers is how many worker ids a namespace has when nobody says.
const defaultWorkers = 1024

func (f *initFlags) makeNamespace(ctx context.Context, s *store, stdout io.Writer) error {
	c, err := f.layout.config()
	if err != nil {
		return err
	}
	n := need(c.Layout)
	first, last := f.assigner.workers.first, f.assigner.workers.last
	if !f.assigner.workers.set {
		last = min(defaultWorkers-1, n.MaxID)
	}
	ns, err := worker.NewNamespace(f.assigner.namespace, n, first, last, f.window)
	if err != nil {
		return usageError{err}
	}
	if err := s.makeFolder(); err != nil {
		return err
	}
	o := worker.InitOptions{Fresh: f.fresh, Slack: ticks(slack, ns.Unit)}
	if err := s.leases.Init(ctx, ns, o); err != nil {
		return err
	}
	v, err := s.leases.View(ctx, ns.Name, 0, -1)
	if err != nil {
		return err
	}
	begin := grantEnd(v.Floor-1, v.Unit)
	if f.format == "json" {
		return writeJSON(stdout, describeNamespace(s, v))
	}
	_, err = fmt.Fprintf(stdout, "namespace %s is ready in %s: worker ids %d to %d for layout %s, granted %v ahead, ids from %s\n",
		v.Name, s.name, v.First, v.Last, bench.FormatLayout(c.Layout), time.Duration(v.Window)*v.Unit, begin.Format(time.RFC3339))
	return err
}
