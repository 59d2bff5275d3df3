package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/worker"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

func newWorkerList(stdout io.Writer) *cobra.Command {
	var (
		f     workerFlags
		limit int
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List who took which worker id, the newest first",
		Long: `List shows the processes that took a worker id from WORKER_NODE; with --assigner
leased, of other stores, and of a database without WORKER_NODE, who holds or held which
of the worker ids that are recycled, layout by layout, and until when ids were granted.

A worker id is
  held      by a process that renews its lease
  expired   its lease has run out, and anybody may take it over
  released  it was given back
  waiting   nobody can take it yet: its next ids lie more than a minute ahead. The last
            holder used up all it could; or a clock was wrong, if it is much more
  new       nobody has had it yet`,
		Example: `  uidbench worker list
  uidbench worker list --store mysql://uid:secret@db.example.com:3306/uid --limit 100
  uidbench worker list --store redis://cache.example.com:6379/0
  uidbench worker list --format json | jq '.[0].worker_id'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return usagef("--limit %d: type how many to list, or 0 for all", limit)
			}
			return f.list(c.Context(), limit, stdout)
		},
	}
	f.bind(cmd)
	f.bindAssigner(cmd, "list the worker ids got by")
	cmd.Flags().IntVar(&limit, "limit", 20, "list the newest `N`; 0: all")
	return cmd
}

func (f *workerFlags) list(ctx context.Context, limit int, stdout io.Writer) error {
	typed := f.assigner.name != ""
	s, err := f.open()
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.mustExist(); err != nil {
		return err
	}
	pools := []pool{}
	if f.assigner.recycled() || !typed {
		if pools, err = readPools(ctx, s, limit); err != nil {
			return err
		}
	}
	if f.assigner.recycled() {
		return f.listPools(stdout, s, pools)
	}
	err = f.listNodes(ctx, s, limit, len(pools) > 0, stdout)
	switch {
	case !errors.Is(err, worker.ErrNotMade):
		return err
	case len(pools) > 0:
		return f.listPools(stdout, s, pools)
	case !typed:
		return fmt.Errorf("%s has no table WORKER_NODE, which `uidbench worker init` creates for worker "+
			"ids that are never reused, and no recycled worker ids, which the first process that takes "+
			"one creates", s.name)
	}
	return err
}

func (f *workerFlags) listNodes(ctx context.Context, s *store, limit int, leases bool,
	stdout io.Writer) error {
	most := limit
	if limit > 0 {
		most++ // one more shows whether that is all; to count them would read the whole table
	}
	rows, err := s.table.Nodes(ctx, most)
	if err != nil {
		return err
	}
	more := limit > 0 && len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	return f.format.write(stdout, describeNodes(rows), func(w io.Writer) error {
		if err := writeNodes(w, s.name, rows); err != nil {
			return err
		}
		if more {
			fmt.Fprintf(w, "\nthe newest %d; --limit 0 lists all\n", limit)
		}
		if leases {
			fmt.Fprintf(w, "\nThese are of WORKER_NODE. %s has recycled worker ids, too: "+
				"--assigner leased lists them.\n", s.name)
		}
		return nil
	})
}

// readPools reads all rows of a place.
func readPools(ctx context.Context, s *store, limit int) ([]pool, error) {
	place, err := s.leases.View(ctx, workerstore.Pool{}, 0, -1)
	if err != nil {
		return nil, err
	}
	pools := []pool{}
	for _, o := range place.Others {
		v, err := s.leases.View(ctx, o.Pool, 0, math.MaxInt64)
		if err != nil {
			return nil, err
		}
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
	return pools, nil
}

func (f *workerFlags) listPools(w io.Writer, s *store, pools []pool) error {
	return f.format.write(w, pools, func(w io.Writer) error {
		if len(pools) == 0 {
			return writeNone(w, s.name)
		}
		for i, p := range pools {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := p.writeText(w, s.name); err != nil {
				return err
			}
		}
		return nil
	})
}
