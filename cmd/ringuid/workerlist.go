package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

func newWorkerList() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which process has which worker id",
		Long: `List shows the processes that took a worker id from the table WORKER_NODE, the newest
first. With --assigner leased, of other stores, and of a database without that table, it
shows for each layout which process holds or held which worker id, and until when its ids
were granted.

A worker id is
  held      by a process that renews its lease
  expired   its lease has run out: any process may take it over
  released  its last holder gave it back
  waiting   no process can take it yet, because its next ids lie more than a minute ahead, or
            two ticks: the last holder used up all it could or, if it is much more, a clock
            was wrong
  new       no process has had it yet`,
		Example: `  ringuid worker list --store mysql://uid:secret@db.example.com:3306/uid --limit 100
  ringuid worker list --store 'redis://cache.example.com:6379/0?prefix=orders'
  ringuid worker list --store sqlite:worker.db --format json | jq '.[0].holders[].worker_id'`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.limit < 0 {
				return cli.Usagef("--limit %d: type how many to list, or 0 for all", f.limit)
			}
			return f.list(c.Context(), c.OutOrStdout())
		},
	}
	f.bind(cmd)
	cmd.Flags().Var(cli.OneOf(&f.kind, disposable, leased), "assigner",
		"list the worker ids of this `METHOD`: disposable (a new worker id for each start) or leased "+
			"(used again) (default: disposable where the table WORKER_NODE is, else leased)")
	cmd.Flags().IntVar(&f.limit, "limit", 20, "list the newest `N`; 0: all")
	return cmd
}

type listFlags struct {
	workerFlags
	kind  string // disposable, leased, or empty: what there is
	limit int
}

// The kinds of worker ids that a store may keep.
const (
	disposable = "disposable"
	leased     = "leased"
)

func (f *listFlags) list(ctx context.Context, stdout io.Writer) error {
	rows := withRows
	if f.kind != leased {
		rows = ""
	}
	s, err := f.openExisting(rows, cli.Error)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Table == nil && f.kind == disposable {
		return cli.Usagef("--assigner disposable needs a database: leave --assigner out, or type "+
			"another --store than %s", s.Name)
	}
	pools := []pool{}
	if f.kind != disposable {
		pools, err = readPools(ctx, s, f.limit)
	}
	nodes := s.Table != nil && f.kind != leased
	// A user of WORKER_NODE alone may have no right to the leases.
	if err != nil && !(nodes && errors.Is(err, worker.ErrDenied)) {
		return err
	}
	if nodes {
		failed := f.listNodes(ctx, s, len(pools) > 0, stdout)
		if f.kind == disposable || !errors.Is(failed, worker.ErrNoTables) {
			return failed
		}
	}
	if err != nil {
		return err
	}
	return f.listPools(stdout, s, pools)
}

type node struct {
	WorkerID int64  `json:"worker_id"`
	Host     string `json:"host"`
	Port     string `json:"port,omitempty"` // where it is one: see package worker/store
	Started  string `json:"started"`        // the date alone in rows that lack the time
}

// actual is the type of a row whose Port is none, as Baidu numbers them: see package worker/store.
const actual = 2

func (f *listFlags) listNodes(ctx context.Context, s *storeurl.Store, leases bool,
	stdout io.Writer) error {
	limit, most := f.limit, f.limit
	if limit > 0 {
		most++ // one more shows whether that is all; counting them would read the whole table
	}
	rows, err := s.Table.Nodes(ctx, most)
	if err != nil {
		return err
	}
	more := limit > 0 && len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	nodes := []node{}
	for _, r := range rows {
		n := node{r.ID, r.HostName, r.Port, r.Created.Format(time.RFC3339)}
		if r.Type == actual {
			n.Port = ""
		}
		if r.Created.IsZero() {
			n.Started = r.LaunchDate.Format(time.DateOnly)
		}
		nodes = append(nodes, n)
	}
	return f.format.Write(stdout, nodes, func(w io.Writer) {
		if len(nodes) == 0 {
			fmt.Fprintf(w, "the table WORKER_NODE in %s is empty\n", s.Name)
		} else {
			writeNodes(w, nodes)
		}
		if more {
			fmt.Fprintf(w, "\nthe newest %d; --limit 0 lists all\n", limit)
		}
		if leases {
			fmt.Fprintf(w, "\nThese are of WORKER_NODE. %s has recycled worker ids, too: "+
				"--assigner leased lists them.\n", s.Name)
		}
	})
}

func writeNodes(w io.Writer, nodes []node) {
	fmt.Fprintln(w, "WORKER ID\tHOST\tSINCE")
	for _, n := range nodes {
		address := n.Host
		if n.Port != "" {
			address = net.JoinHostPort(n.Host, n.Port)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\n", n.WorkerID, address, n.Started)
	}
}

// viewSome is viewPools of a place that must have rows.
func viewSome(ctx context.Context, s *storeurl.Store, first, last int64) (all []workerstore.View,
	err error) {
	all, err = viewPools(ctx, s, first, last)
	switch {
	case errors.Is(err, worker.ErrNoTables):
		err = cli.Coded(err, exitNothing)
	case err == nil && len(all) == 0:
		err = cli.Coded(errors.New(nothing(s)), exitNothing)
	}
	return all, err
}

func viewPools(ctx context.Context, s *storeurl.Store, first, last int64) (all []workerstore.View,
	err error) {
	place, err := s.Leases.View(ctx, workerstore.Pool{}, 0, -1)
	if err != nil {
		return nil, err
	}
	unreadable := place.Unreadable
	for p := range place.Others {
		v, err := s.Leases.View(ctx, p, first, last)
		if err != nil {
			return nil, err
		}
		all, unreadable = append(all, v), errors.Join(unreadable, v.Unreadable)
	}
	slices.SortFunc(all, func(a, b workerstore.View) int { return cmp.Compare(a.Layout, b.Layout) })
	return all, unreadable
}

// readPools describes the worker ids that some process has had.
func readPools(ctx context.Context, s *storeurl.Store, limit int) ([]pool, error) {
	views, err := viewPools(ctx, s, 0, math.MaxInt64)
	pools := []pool{}
	for _, v := range views {
		p := describePool(v)
		slices.SortStableFunc(v.Rows, func(a, b workerstore.Row) int {
			return cmp.Or(b.Renewed.Compare(a.Renewed), cmp.Compare(a.Worker, b.Worker))
		})
		for _, row := range v.Rows {
			if state := stateOf(v, row); state != untaken && (limit <= 0 || len(p.Holders) < limit) {
				p.Holders = append(p.Holders, describeHolder(v, row, state))
			}
		}
		pools = append(pools, p)
	}
	return pools, err
}

func (f *listFlags) listPools(w io.Writer, s *storeurl.Store, pools []pool) error {
	return f.format.Write(w, pools, func(w io.Writer) {
		if len(pools) == 0 {
			fmt.Fprintln(w, nothing(s))
		}
		for i, p := range pools {
			if i > 0 {
				fmt.Fprintln(w)
			}
			p.writeText(w, s.Name)
		}
	})
}
