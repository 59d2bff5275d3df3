package main

import (
	"bufio"
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

	"github.com/ringuid/ringuid/bench"
)

// runProcessName is the command of the processes of run, which nobody else types.
const runProcessName = "run-process"

// runProcesses is run with several processes.
func (f *runFlags) runProcesses(c *cobra.Command, stdout, stderr io.Writer) error {
	ctx := c.Context()
	if err := f.pictures.prepare(); err != nil {
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
	hello, err := json.Marshal(f.forProcess(c))
	if err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(stderr, "%d processes, with worker ids from %s\n", f.processes, name)
	}
	progress := newProgress(stderr, f.quiet)
	f.bench.Progress = progress.show
	report, err := bench.RunProcesses(ctx, bench.Processes{
		Number: f.processes, Config: f.bench, Hello: append(hello, '\n'),
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

// processFlags are the flags that a process of run is given, as typed. They come on
// stdin: URLs have passwords.
type processFlags map[string]string

// forProcess leaves out what is for the parent to do.
func (f *runFlags) forProcess(c *cobra.Command) processFlags {
	flags := processFlags{}
	names := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(assignerFlags).bind(names) // to know their names: those of f would be set to the defaults
	new(layoutFlags).bind(names)
	for _, name := range []string{"store", "generator", "relaxed", "boost-power", "padding-factor", "quiet"} {
		names.AddFlag(c.Flag(name))
	}
	names.VisitAll(func(flag *pflag.Flag) {
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
			in := bufio.NewReader(os.Stdin)
			var f runFlags
			if err := f.read(in); err != nil {
				return err
			}
			close, err := f.open(c.Context(), stderr)
			if err != nil {
				return err
			}
			// An interrupt of the load is for the parent, who then ends this one's stdin.
			ctx := context.WithoutCancel(c.Context())
			return errors.Join(bench.Process(ctx, f.bench.Generator, in, stdout), close())
		},
	}
}

// read sets the flags that the parent has sent.
func (f *runFlags) read(in *bufio.Reader) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("this is not a command to type: type uidbench run --processes N: %w", err)
	}
	var flags processFlags
	if err := json.Unmarshal(line, &flags); err != nil {
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
