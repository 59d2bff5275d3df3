package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/worker"
)

// initFlags are the flags of worker init, as typed.
type initFlags struct {
	workerFlags
	layout layoutFlags
	window time.Duration
	o      worker.InitOptions
	unsafe bool // settings may be
}

func newWorkerInit(stdout io.Writer) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make what worker ids come from, where there is none",
		Long: `Init makes what worker ids come from. What is there stays as it is; what is
missing of it is made, and an error says if it was made with other settings.

In a database that is the table WORKER_NODE, which gives each start of a process a
new worker id. On MySQL and MariaDB it is the table of Baidu's UidGenerator, so
that Java and Go processes can share it.

With --assigner leased, and in other stores, it is a namespace of worker ids that
are recycled, for the ids of one layout. A store gives each worker id of a layout to
one namespace, and none that WORKER_NODE has given out; --apart says that the ids
can never meet even so. Run it again with more --workers to add some.

The first ids lie after everything that may ever have been granted from this store
with that layout, of which the store keeps a record. Where it has none, --fresh says
that nothing was granted, or --earlier how long the longest window was.

No namespace is made on a server whose settings may lose worker ids, since no
process would get one from it.`,
		Example: `  uidbench worker init --store sqlite:worker.db
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid --assigner leased --workers 4193280-4194303 --fresh
  uidbench worker init --store redis://cache.example.com:6379/0 --namespace orders --layout 31/10/22 --fresh
  uidbench worker init --store etcd://etcd.example.com:2379/uid --workers 0-63 --window 10s --earlier 1m`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, stdout) },
	}
	f.bind(cmd)
	flags := cmd.Flags()
	flags.Var(oneOf(&f.assigner.name, disposable, leased), "assigner",
		"worker ids will be got by this `METHOD`: disposable or leased (default: disposable in a "+
			"database; leased in other stores, and with any flag below)")
	f.assigner.bindNamespace(flags)
	f.layout.bind(cmd)
	flags.Var(&f.assigner.workers, "workers",
		"worker ids of the namespace, `FIRST-LAST` (default: 0-1023, or what the layout holds)")
	flags.DurationVar(&f.window, "window", worker.DefaultWindow,
		"worker ids are granted this `DURATION` ahead of the store's clock")
	flags.BoolVar(&f.o.Fresh, "fresh", false,
		"no ids of this layout were ever granted from this store")
	flags.DurationVar(&f.o.Earlier, "earlier", 0,
		"the longest window, as a `DURATION`, that a namespace of this layout ever had in this store, "+
			"where it does not know")
	flags.BoolVar(&f.o.Apart, "apart", false,
		"ids of these worker ids never meet those of others who have them: allow it")
	flags.BoolVar(&f.unsafe, "allow-unfenced", false,
		"make it also in a store whose settings may lose worker ids: each process has to allow that, too")
	return cmd
}

func (f *initFlags) run(c *cobra.Command, stdout io.Writer) error {
	set := c.Flags().Changed
	aboutLeases := f.layout.given() || set("window") || f.unsafe || f.o != (worker.InitOptions{})
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
		return usagef("--layout, --preset, --epoch, --window, --fresh, --earlier, --apart and " +
			"--allow-unfenced are about recycled worker ids: leave them out, or type --assigner leased")
	}
	if err := s.makeTable(c.Context()); err != nil {
		return err
	}
	if f.format == "json" {
		return human.WriteJSON(stdout, map[string]string{"table": "WORKER_NODE", "store": s.name})
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
	n := c.Layout.Need()
	first, last := f.assigner.workers.first, f.assigner.workers.last
	if !f.assigner.workers.set {
		last = min(defaultWorkers-1, n.MaxID)
	}
	ns, err := worker.NewNamespace(f.assigner.namespace, n, first, last, f.window)
	if err != nil {
		return usageError{err}
	}
	if err := checkOver(c.Layout, time.Now()); err != nil {
		return err
	}
	if err := s.makeFolder(); err != nil {
		return err
	}
	class, err := f.check(ctx, s)
	if err != nil {
		return err
	}
	was, err := s.leases.View(ctx, ns.Name, 0, everyID)
	if err != nil && !errors.Is(err, worker.ErrNoNamespace) {
		return err
	}
	f.o.RequireRecord, f.o.MaxID, f.o.Slack = true, n.MaxID, slack
	if err := s.leases.Init(ctx, ns, f.o); err != nil {
		return err
	}
	v, err := s.leases.View(ctx, ns.Name, 0, everyID)
	if err != nil {
		return err
	}
	if f.format == "json" {
		return human.WriteJSON(stdout, made{describeNamespace(s, v), class.String(), firstStart(v)})
	}
	_, err = fmt.Fprintf(stdout,
		"namespace %s is %s in %s (%v): worker ids %d to %d for layout %s, granted %v ahead%s\n",
		v.Name, done(was, v), s.name, class, v.First, v.Last, bench.FormatLayout(c.Layout),
		time.Duration(v.Window)*v.Unit, beginning(v))
	return err
}

// check is what leases of the store are worth: none, when no process would take one.
func (f *initFlags) check(ctx context.Context, s *store) (worker.Class, error) {
	class, err := s.leases.Check(ctx)
	switch {
	case errors.Is(err, worker.ErrStore) && f.unsafe:
		return worker.Unfenced, nil
	case errors.Is(err, worker.ErrStore):
		return class, fmt.Errorf(
			"nothing was made: %w\nor make it all the same with --allow-unfenced, which each process has "+
				"to set, too", err)
	}
	return class, err
}

// made is a namespace that was made as JSON shows it.
type made struct {
	namespace
	Class string `json:"class"`
	// from when on a process gets a worker id; none: all are held
	FirstStart string `json:"first_start,omitempty"`
}

// done is what became of a namespace.
func done(was, is worker.View) string {
	switch more := len(is.Rows) - len(was.Rows); {
	case was.Name == "":
		return "ready"
	case more > 0:
		return fmt.Sprintf("there, and %d of its worker ids are new,", more)
	}
	return "there already"
}

// beginning says of when the first ids are, and when they are granted.
func beginning(v worker.View) string {
	first, any := firstTick(v)
	if !any {
		return "; all of them are held"
	}
	text := ", ids from " + v.Start(first).Format(time.RFC3339)
	if from := v.Start(first - v.Window); from.After(v.Now) {
		return text + fmt.Sprintf("; the first process can start at %s, in %s", from.Format(time.RFC3339),
			human.Wait(v.Now, from))
	}
	return text + "; processes can start now"
}

// firstStart is from when on a process gets a worker id; "" when all are held.
func firstStart(v worker.View) string {
	first, any := firstTick(v)
	if !any {
		return ""
	}
	from := v.Start(first - v.Window)
	if from.Before(v.Now) {
		from = v.Now
	}
	return formatInstant(from)
}

// firstTick is the first one that may be granted to somebody new.
func firstTick(v worker.View) (first int64, any bool) {
	first = math.MaxInt64
	for _, row := range v.Rows {
		if !v.Live(row) {
			first, any = min(first, v.Next(row)), true
		}
	}
	return first, any
}
