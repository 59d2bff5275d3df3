package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/soak"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// soakLayout has ticks so small that few ids use up a window, because the processes must reach
// its end.
const soakLayout = "38/21/4@10ms"

type soakFlags struct {
	soak   soak.Config
	store  storeurl.Flags
	format cli.Format
}

func newSoak() *cobra.Command {
	var f soakFlags
	cmd := &cobra.Command{
		Use:     "soak",
		GroupID: "worker",
		Short:   "Kill and pause processes that share worker ids, and check every id",
		Long: `Soak starts processes that take recycled worker ids from one store and make ids. It kills
one of them and starts another, which takes over the worker id when the lease has run out,
because there are no more worker ids than processes. Then it pauses one until another has
taken over its worker id, and wakes it; and so on. At the end it checks that there are no
duplicate ids.

You may restart the store meanwhile, or cut it off: the processes wait for it, up to a
minute.

Use a store for soak alone: its rows would block other layouts, and it deletes them when all
is well. It exits with 3 if there are duplicate ids, and then leaves the rows and the logs
of all ids.`,
		Example: `  ringuid soak --store sqlite:soak.db --processes 4 --duration 1m
  ringuid soak --store redis://localhost:6379/0 --processes 8 --duration 5m --format json`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *soakFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.store.Bind(flags, "for soak alone")
	flags.IntVar(&f.soak.Processes, "processes", 4, "`N` processes, and as many worker ids")
	flags.DurationVar(&f.soak.Duration, "duration", time.Minute,
		"continue for this `DURATION` once all processes make ids, and until a process was killed and "+
			"one paused: 30s, 5m")
	flags.DurationVar(&f.soak.TTL, "ttl", 2*time.Second,
		"a worker id may be taken over this `DURATION` after its holder's last sign of life")
	f.format.Bind(flags, "report")
}

func (f *soakFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	layout, _ := uid.ParseLayout(soakLayout)
	// The soak's ids go nowhere. An epoch that no other program has keeps its worker ids apart
	// from those of programs that make ids of these bits.
	layout.Epoch = layout.Epoch.Add(7 * layout.Unit)
	switch {
	case f.store.URL == "":
		return cli.Usagef("which store? type one for soak alone, such as --store sqlite:soak.db")
	case f.soak.Processes < 1 || f.soak.Processes > 1000:
		return cli.Usagef("--processes %d: type 1 to 1000", f.soak.Processes)
	case f.soak.Duration <= 0:
		return cli.Usagef("--duration %v: type more, such as 1m", f.soak.Duration)
	case f.soak.TTL < 100*time.Millisecond:
		return cli.Usagef("--ttl %v: type 100ms or more", f.soak.TTL)
	}
	s, err := f.store.Open()
	if err != nil {
		return err
	}
	defer s.Close()
	f.soak.Layout, f.soak.Spec, f.soak.Command = layout, f.store, soakCommand
	class, err := f.prepare(ctx, s)
	if err != nil {
		return err
	}
	if f.soak.Dir, err = os.MkdirTemp("", "ringuid-soak-"); err != nil {
		return err
	}
	f.soak.Started = func() {
		fmt.Fprintf(stderr, "soak of %s for %v has begun; the logs are in %s\n",
			cli.Count(int64(f.soak.Processes), "process"), f.soak.Duration, f.soak.Dir)
	}
	report, err := soak.Run(ctx, f.soak)
	report.Store, report.Layout, report.Class = s.Name, bits(layout), class
	return errors.Join(err, f.clear(ctx, s, &report, err), f.format.Write(stdout, report,
		report.WriteText))
}

func (f *soakFlags) prepare(ctx context.Context, s *storeurl.Store) (class string, err error) {
	if s.Leases == nil {
		return worker.Unfenced.String(), nil
	}
	got := worker.Fenced
	lossy, err := s.Leases.Check(ctx)
	if err != nil {
		return "", err
	}
	if lossy {
		got = worker.FencedLossy
	}
	claim := soakClaim(f.soak, slog.New(slog.DiscardHandler))
	claim.Timeout = 0 // all rows may take longer than one
	_, err = worker.Init(ctx, s.Leases, claim, f.soak.Layout.Need())
	return got.String(), err
}

// clear removes logs and rows, unless they may show what went wrong. All processes
// have ended; those that were killed may still hold a worker id.
func (f *soakFlags) clear(ctx context.Context, s *storeurl.Store, r *soak.Report,
	found error) error {
	if found != nil && !r.Interrupted || r.Duplicates > 0 {
		return nil
	}
	r.Logs = ""
	failed := os.RemoveAll(f.soak.Dir)
	if s.Leases == nil {
		return failed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeurl.DialTimeout)
	defer cancel()
	if err := s.Leases.Delete(ctx, f.soak.Layout.Need().Fingerprint); err != nil {
		return errors.Join(failed, fmt.Errorf("deleting soak's rows: %w", err))
	}
	return failed
}

// processName is the command of soak's processes, which users do not type.
const processName = "soak-process"

// soakCommand returns a command for such a process: this program, by the name it was run by.
func soakCommand() *exec.Cmd {
	path, err := os.Executable()
	cmd := exec.Command(path, processName)
	cmd.Args[0], cmd.Err = os.Args[0], err // Start reports it
	return cmd
}

func soakClaim(c soak.Config, logger *slog.Logger) worker.Claim {
	return worker.Claim{First: 1, Count: int64(c.Processes), TTL: c.TTL, Timeout: c.TTL / 3,
		Logger: logger}
}

func newSoakProcess() *cobra.Command {
	return &cobra.Command{
		Use:    processName,
		Short:  "A process of ringuid soak",
		Hidden: true,
		Args:   cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			open := func(own soak.Config, store storeurl.Flags) (worker.Assigner, uid.Config, error) {
				s, err := store.Open() // until the process ends
				if err != nil {
					return nil, uid.Config{}, err
				}
				config := uid.Config{Layout: own.Layout, Logger: cli.Logger(c, slog.LevelInfo)}
				if s.Leases == nil { // nothing else keeps it from borrowing forever
					config.AllowRepeats, config.MaxAhead = true, 2*own.TTL
					return worker.Static(s.Static), config, nil
				}
				return worker.Leased(s.Leases, soakClaim(own, config.Logger)), config, nil
			}
			// An interrupt is for the supervisor, which then ends this process's stdin.
			return soak.Process(context.WithoutCancel(c.Context()), os.Stdin, open)
		},
	}
}
