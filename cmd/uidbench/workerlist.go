package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
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
of the worker ids that are recycled, until when ids were granted to him, and from when
on another may take the worker id over.

A worker id is held, or expired: its lease has run out, and anybody may take it over;
released: it was given back; or parked: nobody can take it yet, since what comes next
for it lies further ahead than anything may be granted. Either somebody was granted
that much with it, as GRANTED UNTIL shows, or the namespace's floor was raised.`,
		Example: `  uidbench worker list
  uidbench worker list --store mysql://uid:secret@db.example.com:3306/uid --limit 100
  uidbench worker list --store redis://cache.example.com:6379/0 --namespace orders
  uidbench worker list --format json | jq '.[0].worker_id'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return usagef("--limit %d: type how many to list, or 0 for all", limit)
			}
			typed := f.assigner.name != ""
			s, err := f.open()
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.mustExist(f.assigner.howToMake(s)); err != nil {
				return err
			}
			if f.assigner.recycled() {
				return f.listHolders(c.Context(), s, limit, stdout)
			}
			err = f.listNodes(c.Context(), s, limit, stdout)
			if !errors.Is(err, sqlstore.ErrNoTable) || typed {
				return err
			}
			if f.hasLeases(c.Context(), s) {
				return f.listHolders(c.Context(), s, limit, stdout)
			}
			return fmt.Errorf("%w\nor type the --namespace of recycled worker ids; there is none of the "+
				"name default", err)
		},
	}
	f.bind(cmd)
	flags := cmd.Flags()
	flags.Var(oneOf(&f.assigner.name, disposable, leased), "assigner",
		"list the worker ids got by this `METHOD`: disposable or leased (default: disposable in a "+
			"database; leased in other stores, and with --namespace)")
	f.assigner.bindNamespace(flags)
	flags.IntVar(&limit, "limit", 20, "list the newest `N`; 0: all")
	return cmd
}

func (f *workerFlags) listNodes(ctx context.Context, s *store, limit int, stdout io.Writer) error {
	most := limit
	if limit > 0 {
		most++ // one more shows whether that is all; to count them would read the whole table
	}
	rows, err := s.table.Nodes(ctx, most)
	if err != nil {
		return s.secrets.Redact(err)
	}
	more := limit > 0 && len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	if f.format == "json" {
		return writeNodesJSON(stdout, rows)
	}
	if err := writeNodes(stdout, s.name, rows); err != nil {
		return err
	}
	if more {
		fmt.Fprintf(stdout, "\nthe newest %d; --limit 0 lists all\n", limit)
	}
	if f.hasLeases(ctx, s) {
		_, err = fmt.Fprintf(stdout,
			"\nthat is WORKER_NODE alone; %s has recycled worker ids, too: --assigner leased lists them\n",
			s.name)
	}
	return err
}

// hasLeases reports whether there are recycled worker ids beside WORKER_NODE, as far as the
// store shows them. Whoever has one of those is not in a list of the other.
func (f *workerFlags) hasLeases(ctx context.Context, s *store) bool {
	v, _ := s.leases.View(ctx, f.assigner.namespace, 0, -1)
	return v.Name != "" // also where the store went back in time
}

func (f *workerFlags) listHolders(ctx context.Context, s *store, limit int,
	stdout io.Writer) error {
	v, err := s.leases.View(ctx, f.assigner.namespace, 0, everyID)
	if err != nil {
		return f.assigner.hint(s, err)
	}
	list := holders{namespace: describeNamespace(s, v), Holders: []holder{},
		closed: v.Start(v.Floor).After(v.Now)}
	if list.Class, err = classOf(ctx, s); err != nil {
		return err
	}
	slices.SortStableFunc(v.Rows, func(a, b worker.Row) int {
		return cmp.Or(b.Renewed.Compare(a.Renewed), cmp.Compare(a.Worker, b.Worker))
	})
	for _, row := range v.Rows {
		state := stateOf(v, row)
		list.count(state)
		if state != untouched && (limit <= 0 || len(list.Holders) < limit) {
			list.Holders = append(list.Holders, describeHolder(v, row, state))
		}
	}
	if f.format == "json" {
		return human.WriteJSON(stdout, list)
	}
	return list.writeText(stdout)
}

// classOf is what the leases of a store are worth.
func classOf(ctx context.Context, s *store) (string, error) {
	class, err := s.leases.Check(ctx)
	if err != nil && !errors.Is(err, worker.ErrStore) {
		return "", err
	}
	if err != nil {
		class = worker.Unfenced
	}
	return class.String(), nil
}

// The states of a worker id.
const (
	held      = "held"
	expired   = "expired" // held, and anybody may take it over
	released  = "released"
	parked    = "parked" // granted further ahead than anybody could be now
	untouched = "never taken"
)

func stateOf(v worker.View, r worker.Row) string {
	_, ahead := v.Parked(r)
	switch {
	case v.Live(r):
		return held
	case ahead:
		return parked
	case r.Held:
		return expired
	case r.Owner != "", r.High >= v.Floor: // a row is made below the floor, which never falls
		return released
	}
	return untouched
}

// namespace is a namespace as JSON shows it.
type namespace struct {
	Store         string  `json:"store"`
	Name          string  `json:"namespace"`
	Layout        string  `json:"layout"`
	Fingerprint   string  `json:"fingerprint"`
	FirstWorker   int64   `json:"first_worker"`
	LastWorker    int64   `json:"last_worker"`
	WindowSeconds float64 `json:"window_seconds"`
	Floor         string  `json:"floor"` // no new grant is of ids before
	Now           string  `json:"now"`   // by the store's clock
}

func describeNamespace(s *store, v worker.View) namespace {
	return namespace{
		Store: s.name, Name: v.Name, Layout: fingerprint.Layout(v.Fingerprint),
		Fingerprint: v.Fingerprint, FirstWorker: v.First, LastWorker: v.Last,
		WindowSeconds: (time.Duration(v.Window) * v.Unit).Seconds(),
		Floor:         formatInstant(grantEnd(v.Floor-1, v.Unit)),
		Now:           formatInstant(v.Now),
	}
}

type holders struct {
	namespace
	Class    string   `json:"class"`
	Held     int      `json:"held"`
	Expired  int      `json:"expired"`
	Released int      `json:"released"`
	Parked   int      `json:"parked"`
	Never    int      `json:"never_taken"`
	Holders  []holder `json:"holders"`

	closed bool // the floor lies ahead
}

func (h *holders) count(state string) {
	*map[string]*int{held: &h.Held, expired: &h.Expired, released: &h.Released, parked: &h.Parked,
		untouched: &h.Never}[state]++
}

type holder struct {
	WorkerID     int64  `json:"worker_id"`
	State        string `json:"state"`
	Owner        string `json:"owner"`
	GrantedUntil string `json:"granted_until"`
	Expires      string `json:"expires"`
	Written      string `json:"written"`
}

func describeHolder(v worker.View, r worker.Row, state string) holder {
	return holder{r.Worker, state, r.Owner, formatInstant(grantEnd(r.High, v.Unit)),
		formatInstant(r.Expires), formatInstant(r.Renewed)}
}

func (h *holders) writeText(w io.Writer) error {
	fmt.Fprintf(w, "namespace %s in %s (%s), worker ids %d to %d, granted %v ahead, at %s\n", h.Name,
		h.Store, h.Class,
		h.FirstWorker, h.LastWorker, time.Duration(h.WindowSeconds*float64(time.Second)), h.Now)
	fmt.Fprintf(w, "layout %s\n", h.Layout)
	fmt.Fprintf(w, "%d held, %d expired, %d released, %d parked, %d never taken\n", h.Held, h.Expired,
		h.Released, h.Parked, h.Never)
	if h.closed {
		fmt.Fprintf(w, "nothing before %s is granted\n", h.Floor)
	}
	if h.Parked > 0 {
		fmt.Fprintln(w, "parked: nobody can take it yet, since its next ids lie further ahead than "+
			"may be granted")
	}
	if len(h.Holders) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nWORKER ID\tSTATE\tOWNER\tGRANTED UNTIL\tEXPIRES\tWRITTEN")
	for _, r := range h.Holders {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\n", r.WorkerID, r.State, r.Owner, r.GrantedUntil,
			r.Expires, r.Written)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var err error
	if known := h.Held + h.Expired + h.Released + h.Parked; len(h.Holders) < known {
		_, err = fmt.Fprintf(w, "\n%d of %d; --limit 0 lists all\n", len(h.Holders), known)
	}
	return err
}
