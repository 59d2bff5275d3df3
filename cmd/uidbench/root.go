package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newRoot is uidbench without a subcommand, which does what run does. Its help lists the
// commands; that of run has the flags.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root := newRun(stdout, stderr)
	root.Use = "uidbench"
	root.Short, root.Example = "Measure id generators, take ids apart, choose a layout", ""
	root.Long = `Uidbench measures id generators, takes ids apart, and helps to choose a layout.
Without a command it does what run does, with the flags of run.

Exit codes: 0; 1 error; 2 wrong flags, layouts or ids; 3 an id came twice; 4 a
threshold was missed; 130 interrupted, with the report of what was measured.`
	root.Version = version()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	root.SetVersionTemplate("{{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := c.ValidateFlagGroups(); err != nil {
			return usageError{err}
		}
		return nil
	}
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newRun(stdout, stderr),
		newDecode(stdout),
		newPlan(stdout),
		newMigrate(stdout),
		newWorker(stdout),
		newSweep(stdout, stderr),
		newVerify(stdout),
		newSoak(stdout, stderr),
		newSoakProcess(stderr),
	)
	return root
}

// newHelp is cobra's, but for what it does when there is no such command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show what a command does",
		RunE: func(c *cobra.Command, args []string) error {
			cmd, rest, err := c.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			if len(rest) > 0 {
				return noArgs(cmd, rest)
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// noArgs refuses arguments. It repeats none that could hold a password.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.Contains(args[0], ":") {
		return usagef("that is not a command; give a store with a flag: %s --store URL", c.CommandPath())
	}
	if s := c.SuggestionsFor(args[0]); len(s) > 0 {
		return usagef("unknown command %q: did you mean `%s %s`?", args[0], c.CommandPath(), s[0])
	}
	if c.HasAvailableSubCommands() {
		return usagef("unknown command %q; `%s --help` lists the commands", args[0], c.CommandPath())
	}
	return usagef("%s takes no arguments, only flags; `%s --help` lists them", c.CommandPath(),
		c.CommandPath())
}
