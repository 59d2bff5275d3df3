package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/processes"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
)

// runProcessName is the command of the processes of run, which nobody else types.
const runProcessName = "run-process"

// runProcesses is run with several processes.
func (f *runFlags) runProcesses(c *cobra.Command, stdout, stderr io.Writer) error {
	ctx := c.Context()
	if err := f.mayWritePage(); err != nil {
		return err
	}
	config, err := f.config(stderr)
	if err != nil {
		return err
	}
	name, err := f.prepareStore(ctx)
	if err != nil {
		return err
	}
	f.beginToday(&config.Layout, time.Now(), stderr)
	if !f.quiet {
		fmt.Fprintf(stderr, "%s, with worker ids from %s\n", human.Count(int64(f.processes), "process"), name)
	}
	progress := newProgress(stderr, f.quiet)
	f.bench.Progress = progress.show
	report, err := processes.Run(ctx, processes.Config{
		Number: f.processes, Load: f.bench, Spec: f.forProcess(c),
		Command: func() *exec.Cmd {
			cmd := selfCommand(runProcessName)
			cmd.Stderr = stderr
			return cmd
		},
	})
	progress.end()
	if len(report.Processes) == 0 {
		return err // it did not come to a load
	}
	report.Generator, report.Store, report.Settings = f.generator, name, f.settings()
	return f.tell(report, err, stdout)
}

// prepareStore looks whether the store can give worker ids to several, before they
// ask it all at once.
func (f *runFlags) prepareStore(ctx context.Context) (name string, err error) {
	s, err := f.openStore()
	if err != nil {
		return "", err
	}
	if f.assigner.name == static {
		err = usagef("--processes needs a store that gives each a worker id of its own: type another --store than %s", s.name)
	} else if s.folder != "" && f.assigner.name == disposable {
		err = s.makeTable(ctx)
	}
	return s.name, errors.Join(err, s.close())
}

// processFlags are the flags that a process of run is given, as typed. They are a
// part of its job, which is not a command line: URLs have passwords.
type processFlags map[string]string

// forProcess leaves out what is for the parent to do.
func (f *runFlags) forProcess(c *cobra.Command) processFlags {
	flags := processFlags{}
	names := &cobra.Command{}
	new(assignerFlags).bind(names.Flags()) // to know their names: those of f would be set to the defaults
	new(layoutFlags).bind(names)
	for _, name := range []string{"store", "generator", "relaxed", "boost-power", "padding-factor", "quiet"} {
		names.Flags().AddFlag(c.Flag(name))
	}
	names.Flags().VisitAll(func(flag *pflag.Flag) {
		if typed := c.Flag(flag.Name); typed.Changed {
			flags[flag.Name] = typed.Value.String()
		}
	})
	if f.layout.epoch != "" {
		flags["epoch"] = f.layout.epoch // of beginToday: one day for all, at midnight too
	}
	return flags
}

func newRunProcess(stdout, stderr io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:    runProcessName,
		Short:  "A process of uidbench run --processes",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var f runFlags
			open := func(ctx context.Context, spec json.RawMessage) (uid.Generator, func() error, error) {
				if err := f.read(spec); err != nil {
					return nil, nil, err
				}
				close, err := f.open(ctx, stderr)
				return f.bench.Generator, close, err
			}
			// An interrupt of the load is for the parent, who then ends this one's stdin.
			err := processes.Process(context.WithoutCancel(c.Context()), os.Stdin, stdout, open)
			return typedByHand(err, "run --processes N")
		},
	}
}

// typedByHand says that a command is for processes that this program starts itself.
func typedByHand(err error, command string) error {
	if errors.Is(err, subprocess.ErrNoJob) {
		return fmt.Errorf("this is not a command to type: type uidbench %s: %w", command, err)
	}
	return err
}

// read sets the flags that the parent has sent.
func (f *runFlags) read(spec json.RawMessage) error {
	var flags processFlags
	if err := json.Unmarshal(spec, &flags); err != nil {
		return err
	}
	cmd := &cobra.Command{}
	f.bind(cmd)
	for name, value := range flags {
		if err := cmd.Flags().Set(name, value); err != nil {
			return err
		}
	}
	f.boostGiven = cmd.Flags().Changed("boost-power")
	f.assigner.owner = cmp.Or(f.assigner.owner, fmt.Sprintf("%s/%d", defaultOwner(), os.Getpid()))
	return nil
}
