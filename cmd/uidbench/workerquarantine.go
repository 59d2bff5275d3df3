package main

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/internal/grants"
)

func newWorkerQuarantine(stdout io.Writer) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "quarantine",
		Short: "Make a store safe that was restored from a backup",
		Long: `Quarantine is for a store that was restored from a backup, or that lost writes in
another way: it no longer knows what it granted since. Run it before any process starts:
restore, quarantine, start. It also ends what a wrong clock left: worker ids that were
granted far into the future.

It deletes the rows of all recycled worker ids in the store, in one step. Processes that
run use up what they were granted, and take new worker ids. The ids of these begin above
everything that can have been granted until now, so this is safe at any time, with one
exception: not while processes that took their worker id from WORKER_NODE in the same
database run with one that has a row here.`,
		Example: `  uidbench worker quarantine --store etcd://etcd.example.com:2379/uid
  uidbench worker quarantine --store redis://cache.example.com:6379/0 --format json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.quarantine(c.Context(), stdout) },
	}
	f.bind(cmd)
	return cmd
}

// quarantined is what was deleted, as JSON shows it.
type quarantined struct {
	Store   string   `json:"store"`
	Layouts []string `json:"layouts"`
	Rows    int      `json:"worker_ids"`
	Next    string   `json:"next_ids_after"`
}

func (f *workerFlags) quarantine(ctx context.Context, stdout io.Writer) error {
	s, err := f.openLeases()
	if err != nil {
		return err
	}
	defer s.close()
	views, err := s.pools(ctx, 0, math.MaxInt64)
	if err != nil {
		return err
	}
	next, err := s.leases.Now(ctx)
	if err != nil {
		return err
	}
	if err := s.leases.Delete(ctx, ""); err != nil {
		return err
	}
	q := quarantined{Store: s.name, Layouts: []string{}}
	for _, v := range views {
		q.Layouts, q.Rows = append(q.Layouts, fingerprint.Layout(v.Layout)), q.Rows+len(v.Rows)
		begins := grants.Start(v.Pool, grants.Opening(v.Pool, v.Now, slack))
		if begins.After(next) {
			next = begins
		}
	}
	q.Next = formatInstant(next)
	if q.Rows == 0 {
		return f.format.print(stdout, q, "there were no recycled worker ids in %s: nothing to do", s.name)
	}
	return f.format.print(stdout, q, "deleted the rows of %s in %s\n"+
		"Processes that run use up what they were granted and take new worker ids by themselves; new "+
		"ids are later than %s.", human.Count(int64(q.Rows), "worker id"), s.name,
		next.Format(time.RFC3339))
}
