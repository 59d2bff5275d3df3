package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/soak"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// soakLayout has ticks so small that few ids use up a window: the processes have to
// come to its end.
const soakLayout = "38/21/4@10ms"

// soakFlags are the flags of soak, as typed.
type soakFlags struct {
	soak          soak.Config
	store         string
	allowUnfenced bool
	format        string

	namespace string
}

func newSoak(stdout, stderr io.Writer) *cobra.Command {
	var f soakFlags
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Let processes share worker ids under faults, and check every id",
		Long: `Soak starts processes that take recycled worker ids from one store and make ids. It
kills one of them and starts another, which takes its worker id over when the lease has
run out: there are no more worker ids than processes. Then it pauses one until another
has taken its worker id over, and lets it go on; and so forth. At the end it checks that
no id came twice.

You may restart the store meanwhile, or cut it off: the processes wait for it, up to a
minute.

Soak keeps to a namespace of its own, which it makes, and removes when all is well.
It exits with 3 when an id came twice, and leaves that and the logs of all ids then.`,
		Example: `  uidbench soak --store sqlite:soak.db --processes 4 --duration 1m
  uidbench soak --store redis://localhost:6379/0 --processes 8 --duration 5m --format json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), stdout, stderr) },
	}
	f.bind(cmd)
	return cmd
}

func (f *soakFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	bindStore(cmd, &f.store)
	flags.IntVar(&f.soak.Processes, "processes", 4, "`N` processes, and as many worker ids")
	flags.DurationVar(&f.soak.Duration, "duration", time.Minute,
		"go on for this `DURATION` when all processes make ids, and until a process was killed and "+
			"one paused: 30s, 5m")
	flags.DurationVar(&f.soak.TTL, "ttl", 2*time.Second,
		"`DURATION` after its last sign of life at which a worker id may be taken over; granted ahead "+
			"are 2.5 of these")
	flags.BoolVar(&f.allowUnfenced, "allow-unfenced", false,
		"soak also a store whose settings may lose worker ids")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the report: text or json")
}

func (f *soakFlags) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	if f.soak.Layout, err = uid.ParseLayout(soakLayout); err != nil {
		return err
	}
	s, err := openStore(f.store)
	if err != nil {
		return err
	}
	defer s.close()
	f.namespace = fmt.Sprintf("soak-%d-%d", f.soak.Processes, f.soak.TTL.Milliseconds())
	f.soak.Window = f.soak.TTL * 5 / 2 // longer than a lease, so that takeovers prove something
	f.soak.Spec = processSpec{
		Store: s.url, Namespace: f.namespace, AllowUnfenced: f.allowUnfenced, TTL: f.soak.TTL,
		Layout: f.soak.Layout,
	}
	f.soak.Command = func() *exec.Cmd { return selfCommand(processName) }
	if err := f.soak.Validate(); err != nil {
		return err
	}
	class, err := f.prepare(ctx, s)
	if err != nil {
		return err
	}
	if f.soak.Dir, err = os.MkdirTemp("", "uidbench-soak-"); err != nil {
		return err
	}
	f.soak.Started = func() {
		fmt.Fprintf(stderr, "soak of %s for %v has begun; the logs are in %s\n",
			human.Count(int64(f.soak.Processes), "process"), f.soak.Duration, f.soak.Dir)
	}
	report, err := soak.Run(ctx, f.soak)
	report.Store, report.Layout, report.Class = s.name, bench.FormatLayout(f.soak.Layout), class
	return errors.Join(err, f.clear(ctx, s, &report, err), f.write(stdout, report))
}

// prepare makes the namespace, and says what its leases are worth. Nobody but
// soaks, each of which looks at its own ids alone, uses a namespace of this name.
func (f *soakFlags) prepare(ctx context.Context, s *store) (class string, err error) {
	if s.leases == nil {
		return worker.Unfenced.String(), nil
	}
	if err := s.makeFolder(); err != nil {
		return "", err
	}
	ns, err := worker.NewNamespace(f.namespace, forSoak(f.soak.Layout.Need(), f.namespace),
		0, int64(f.soak.Processes)-1, f.soak.Window)
	if err != nil {
		return "", usageError{err}
	}
	if err := s.leases.Init(ctx, ns,
		worker.InitOptions{Fresh: true, Apart: true, Slack: slack}); err != nil {
		return "", err
	}
	got, err := s.leases.Check(ctx)
	switch {
	case err == nil:
		return got.String(), nil
	case !errors.Is(err, worker.ErrStore):
		return "", err
	case !f.allowUnfenced:
		return "", fmt.Errorf("%w\nor take worker ids all the same with --allow-unfenced", err)
	}
	return worker.Unfenced.String(), nil
}

// clear removes logs and namespace, unless they may show what went wrong. All processes
// have ended; those that were killed may still hold a worker id.
func (f *soakFlags) clear(ctx context.Context, s *store, r *soak.Report, found error) error {
	if found != nil && !r.Interrupted || r.Duplicates > 0 {
		return nil
	}
	r.Logs = ""
	failed := os.RemoveAll(f.soak.Dir)
	if s.leases == nil {
		return failed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTimeout)
	defer cancel()
	err := soak.Remove(ctx, s.leases, f.namespace)
	if err != nil && !errors.Is(err, worker.ErrNoNamespace) {
		err = fmt.Errorf("removing soak's namespace %s: %w", f.namespace, err)
		return errors.Join(failed, err)
	}
	return failed
}

func (f *soakFlags) write(stdout io.Writer, r soak.Report) error {
	if f.format == "json" {
		return human.WriteJSON(stdout, r)
	}
	return soak.WriteText(stdout, r)
}
