package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func newWorkerQuarantine() *cobra.Command {
	var f workerFlags
	var newest string
	var o worker.QuarantineOptions
	cmd := &cobra.Command{
		Use:   "quarantine",
		Short: "Make a store safe after it was restored from a backup",
		Long: `Quarantine makes a store safe that was restored from a backup, or that lost writes in
another way, and no longer knows what it has granted since. Run it before any process
starts: restore, quarantine, start.

It deletes the rows of all recycled worker ids in the store, in one step. Running processes
use up what they were granted, and take new worker ids. Ids of new rows begin above
everything that can have been granted until now, so this is safe at any time, with one
exception: if the next keys of WORKER_NODE in the same database lie among these worker ids,
start no process that takes one within a minute after this.

If the store's clock was ahead, ids may have been made further ahead than new rows begin.
Then quarantine deletes nothing, and says until when. You need not do anything: after that
time, processes take such worker ids again. To use them earlier, stop all processes that
make ids, look for the largest id in all tables, and type it after --newest.`,
		Example: `  ringuid worker quarantine --store etcd://etcd.example.com:2379
  ringuid worker quarantine --store redis://cache.example.com:6379/0 --newest 119111846907904001
  ringuid worker quarantine --store redis://cache.example.com:6379/0 --format json`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.quarantine(c.Context(), o, newest, c.OutOrStdout())
		},
	}
	f.bind(cmd)
	cmd.Flags().StringVar(&newest, "newest", "",
		"no process that makes ids is running, and this is the largest `ID` in all tables, or its time, "+
			"or 0 if there are no ids; new ids are later")
	cmd.Flags().BoolVar(&o.Unreadable, "unreadable", false,
		"also delete rows that something else or another version wrote, for all processes are stopped")
	return cmd
}

type quarantined struct {
	Store      string   `json:"store"`
	Layouts    []string `json:"layouts"`
	Rows       int      `json:"worker_ids"`
	Unreadable string   `json:"unreadable,omitempty"`
	Next       string   `json:"next_ids_after"`
}

func (f *workerFlags) quarantine(ctx context.Context, o worker.QuarantineOptions, newest string,
	stdout io.Writer) error {
	s, err := f.openExisting(withRows, exitNothing)
	if err != nil {
		return err
	}
	defer s.Close()
	if o.Newest, err = newestTime(ctx, s, newest); err != nil {
		return err
	}
	done, err := worker.Quarantine(ctx, s.Leases, o)
	switch {
	case errors.Is(err, worker.ErrNoRows):
		return cli.Coded(errors.New(nothing(s)), exitNothing)
	case errors.Is(err, worker.ErrNoTables):
		return cli.Coded(err, exitNothing)
	case err != nil:
		return err
	}
	q := quarantined{Store: s.Name, Layouts: []string{}, Next: cli.FormatInstant(done.Begin)}
	for _, v := range done.Pools {
		q.Layouts, q.Rows = append(q.Layouts, fingerprint.Layout(v.Layout)), q.Rows+len(v.Rows)
	}
	what := "the rows of " + cli.Count(int64(q.Rows), "worker id")
	if q.Rows == 0 {
		what = "what was left of worker ids whose rows were gone"
	}
	text := fmt.Sprintf("deleted %s in %s\nRunning processes use up what they were granted, and take "+
		"new worker ids by themselves; new ids are of %s or later.", what, s.Name, q.Next)
	if done.Unreadable != nil {
		q.Unreadable = done.Unreadable.Error()
		text += fmt.Sprintf("\nDeleted, too, though it could not be read: %s\nIds later than %s that "+
			"were made with these rows may come again.", q.Unreadable, q.Next)
	}
	return f.format.Print(stdout, q, "%s", text)
}

// newestTime reads the argument of --newest, which is a time, or an id of the only layout that
// has worker ids in the store.
func newestTime(ctx context.Context, s *storeurl.Store, typed string) (newest time.Time,
	err error) {
	if typed == "" {
		return newest, nil
	}
	id, err := strconv.ParseInt(typed, 10, 64)
	if err != nil {
		// A date alone would be midnight, and the newest id of that day is later.
		if newest, err = cli.ParseTime(typed); err != nil || len(typed) == len(time.DateOnly) {
			err = cli.Usagef("--newest %q: type an id, or a time such as 2026-11-27T12:00:00Z", typed)
		}
		return newest, err
	}
	if id == 0 {
		return time.Unix(0, 0), nil
	}
	views, err := viewSome(ctx, s, math.MaxInt64, math.MaxInt64)
	if err != nil {
		return newest, err
	}
	if len(views) > 1 {
		return newest, cli.Usagef("--newest %d: %d layouts have worker ids there: type the time of the "+
			"id, which `ringuid decode %[1]d` shows", id, len(views))
	}
	l, err := uid.ParseLayout(fingerprint.Layout(views[0].Layout))
	parts, foreign := l.Parse(uid.ID(id))
	switch err := errors.Join(err, foreign); {
	case err != nil:
		return newest, cli.AsUsage(fmt.Errorf("--newest %d: %w", id, err))
	case l.Order == uid.WorkerTimeSequence:
		return newest, cli.Usagef("--newest %d: ids of layout %v do not sort by time: type the latest "+
			"time of all ids", id, l)
	case id < 1e13 && views[0].Now.Sub(parts.Time) > 24*time.Hour: // a date, or a Unix time in ms
		return newest, cli.Usagef("--newest %d: as an id, that is of %s, and it is %s now: if it is the "+
			"largest id, type --newest %[2]s", id, cli.FormatInstant(parts.Time),
			cli.FormatInstant(views[0].Now))
	}
	return parts.Time, nil
}
