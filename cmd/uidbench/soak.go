package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
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
const soakLayout = "38/19/6@10ms"

// soakFlags are the flags of soak, as typed.
type soakFlags struct {
	soak          soak.Config
	store         string
	allowUnfenced bool
	faults        []string
	storeCommand  string
	logs          string
	format        string
	quiet         bool

	namespace string
}

func newSoak(stdout, stderr io.Writer) *cobra.Command {
	var f soakFlags
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Let processes share worker ids under faults, and check every id",
		Long: `Soak starts processes that take recycled worker ids from one store and make ids,
does to them what --faults lists, one thing after the other, and then checks that no
id came twice.

  kill   kills a process and starts another, which takes its worker id over when the
         lease has run out: there are no more worker ids than processes
  clock  the same, with a clock that is up to an hour slow
  pause  stops a process until another has taken its worker id over, and lets it
         go on
  store  takes the store away from all of them for a few seconds: cuts or holds
         their connections, locks a SQLite file, or runs --store-command

Soak keeps to a namespace of its own, which it makes, and removes when all is well.
It exits with 3 when an id came twice, and leaves that and the logs of all ids then.`,
		Example: `  uidbench soak --store sqlite:soak.db --processes 4 --duration 1m
  uidbench soak --store redis://localhost:6379/0 --processes 8 --duration 5m --faults kill,pause,store --format json
  uidbench soak --store mysql://uid:secret@localhost/uid --faults kill,store --store-command 'docker restart -t 0 db'`,
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
		"go on for this `DURATION` when all processes make ids, and until each fault was done once: "+
			"30s, 5m")
	f.faults = []string{"kill", "pause"}
	flags.Var(someOf(&f.faults, "kill", "pause", "store", "clock", "none"), "faults",
		"`LIST` of what is done to them: kill, pause, store, clock, or none")
	flags.DurationVar(&f.soak.TTL, "ttl", 2*time.Second,
		"`DURATION` after its last sign of life at which a worker id may be taken over; granted ahead "+
			"are 2.5 of these")
	flags.BoolVar(&f.allowUnfenced, "allow-unfenced", false,
		"soak also a store whose settings may lose worker ids")
	flags.StringVar(&f.storeCommand, "store-command", "",
		"shell `COMMAND` that takes the store down and brings it back, for --faults store")
	flags.StringVar(&f.logs, "logs", "",
		"keep the logs of all ids in this `DIR`, which is to be new or empty")
	f.format = "text"
	flags.Var(oneOf(&f.format, "text", "json"), "format", "`FORMAT` of the report: text or json")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress: results and errors alone")
}

func (f *soakFlags) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	if f.soak.Layout, err = uid.ParseLayout(soakLayout); err != nil {
		return err
	}
	if f.soak.Faults, err = soak.ParseFaults(strings.Join(f.faults, ",")); err != nil {
		return err
	}
	away := slices.Contains(f.soak.Faults, soak.Store)
	if f.storeCommand != "" && !away {
		return usagef("--store-command has no effect without the fault: type --faults store too")
	}
	s, err := openStore(f.store)
	if err != nil {
		return err
	}
	defer s.close()
	if s.leases == nil && away {
		return usagef("--faults store needs a store: type another --store than %s", s.name)
	}
	f.namespace = fmt.Sprintf("soak-%d-%d", f.soak.Processes, f.soak.TTL.Milliseconds())
	f.soak.Window = f.soak.TTL * 5 / 2 // longer than a lease, so that takeovers prove something
	proxy, err := soak.NewProxy()
	if err != nil {
		return err
	}
	defer proxy.Close()
	f.soak.TakeStore, f.soak.Spec = f.takeStore(s, proxy), f.spec(s, proxy)
	f.soak.Command = func() *exec.Cmd { return selfCommand(processName) }
	if err := f.soak.Validate(); err != nil {
		return err
	}
	class, err := f.prepare(ctx, s)
	if err != nil {
		return err
	}
	if f.soak.Dir, err = f.makeLogs(); err != nil {
		return err
	}
	report, err := f.load(ctx, stderr)
	report.Store, report.Layout, report.Class = s.name, bench.FormatLayout(f.soak.Layout), class
	if s.leases != nil {
		report.Namespace = f.namespace
	}
	return errors.Join(err, f.endLogs(&report, err), f.endNamespace(ctx, s, report, err),
		f.write(stdout, report))
}

// endNamespace removes the namespace, unless it may show what went wrong. All processes
// have ended; those that were killed may still hold a worker id.
func (f *soakFlags) endNamespace(ctx context.Context, s *store, r soak.Report, found error) error {
	if s.leases == nil || provesSomething(r, found) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTimeout)
	defer cancel()
	err := soak.Remove(ctx, s.leases, f.namespace)
	if err != nil && !errors.Is(err, worker.ErrNoNamespace) {
		return fmt.Errorf("removing soak's namespace %s: %w", f.namespace, err)
	}
	return nil
}

// provesSomething reports whether what a soak leaves is worth a look.
func provesSomething(r soak.Report, found error) bool {
	return found != nil && !r.Interrupted || r.Duplicates > 0
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

// forSoak is a layout's need under a name of the soak's own: its ids go nowhere, so
// it must not take worker ids away from whoever makes ids of that layout.
func forSoak(n worker.Need, namespace string) worker.Need {
	n.Fingerprint = namespace + " " + n.Fingerprint
	return n
}

// soaking asks for worker ids as forSoak has it.
type soaking struct {
	worker.Assigner
	namespace string
}

func (s soaking) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	return s.Assigner.Assign(ctx, forSoak(n, s.namespace))
}

func (f *soakFlags) makeLogs() (dir string, err error) {
	if f.logs == "" {
		return os.MkdirTemp("", "uidbench-soak-")
	}
	if err := os.MkdirAll(f.logs, 0o700); err != nil {
		return "", err
	}
	if files, err := os.ReadDir(f.logs); err != nil || len(files) > 0 {
		return "", errors.Join(err, usagef("--logs %s is not empty: type another folder", f.logs))
	}
	return f.logs, nil
}

// endLogs keeps the logs when they were asked for, or prove something.
func (f *soakFlags) endLogs(r *soak.Report, found error) error {
	if f.logs != "" || provesSomething(*r, found) {
		return nil
	}
	r.Logs = ""
	return os.RemoveAll(f.soak.Dir)
}

// takeStore is how the store is taken away.
func (f *soakFlags) takeStore(s *store, proxy *soak.Proxy) func(context.Context) (func() error,
	error) {
	switch {
	case f.storeCommand != "":
		return func(ctx context.Context) (func() error, error) {
			return func() error { return nil }, f.runStoreCommand(ctx)
		}
	case s.isSQLite():
		return s.lock
	}
	n := 0
	return func(context.Context) (func() error, error) {
		if n++; n%2 == 1 {
			proxy.Drop()
		} else {
			proxy.Hang()
		}
		return func() error { proxy.Pass(); return nil }, nil
	}
}

// runStoreCommand is not broken off in the middle: the store would stay down.
func (f *soakFlags) runStoreCommand(ctx context.Context) error {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), shell[0], shell[1], f.storeCommand)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("--store-command: %w\n%s", err, out)
	}
	return nil
}

func (f *soakFlags) load(ctx context.Context, stderr io.Writer) (soak.Report, error) {
	progress := newProgress(stderr, f.quiet)
	f.soak.Progress = progress.show
	if !f.quiet {
		fmt.Fprintf(stderr, "soak of %s begins; the logs are in %s\n",
			human.Count(int64(f.soak.Processes), "process"), f.soak.Dir)
	}
	report, err := soak.Run(ctx, f.soak)
	progress.end()
	return report, err
}

func (f *soakFlags) write(stdout io.Writer, r soak.Report) error {
	if f.format == "json" {
		return human.WriteJSON(stdout, r)
	}
	return soak.WriteText(stdout, r)
}
