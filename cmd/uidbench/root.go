package main

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of commands, as the root's help shows them.
var groups = []*cobra.Group{
	{ID: "worker", Title: "Worker ids:"}, {ID: "ids", Title: "Ids:"},
	{ID: "profiling", Title: "Profiling:"},
}

// The root's help is one screen of commands; the help of a command lists its flags.
const helpTemplate = `{{.Long}}
{{if .HasParent}}
{{.UsageString}}{{else}}
{{range $group := .Groups}}{{.Title}}
{{range $.Commands}}{{if eq .GroupID $group.ID}}  {{rpad .Name 10}}{{.Short}}
{{end}}{{end}}{{end}}
Type "uidbench COMMAND --help" for the flags of a command, with examples.
{{end}}`

// newRoot returns uidbench without a subcommand, which does what run does.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	root := newRun()
	root.Use, root.GroupID = "uidbench", ""
	root.Short, root.Example = "Measure id generators, read ids, manage worker ids", ""
	root.Long = `Uidbench measures id generators, reads ids, and manages worker ids.
Without a command it measures a generator for five seconds: "uidbench run".

Exit codes: 0 success, 1 error, 2 wrong flags, layouts or ids, 3 duplicate ids,
4 a limit of --fail was missed, 5 no worker ids there to release, steal or quarantine,
130 interrupted (after a report of what was done).`
	root.Version = version()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
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
	root.AddGroup(groups...)
	root.SetHelpCommand(newHelp())
	root.AddCommand(newWorker(), newDecode(), newPlan(), newMigrate(), newVerify(),
		newRun(), newSoak(), newSoakProcess())
	return root
}

// newHelp is cobra's help command, except for what it does when there is no such command.
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

// version is what the Go command recorded when it built this.
func version() string {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
	}
	return fmt.Sprintf("uidbench %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// badLetter matches what pflag says about a negative number.
var badLetter = regexp.MustCompile(`^unknown shorthand flag: '\d' in (-\d+)`)

// badNumber matches what pflag says about a number that is none, or is too large.
var badNumber = regexp.MustCompile(`strconv\.ParseU?[Ii]nt: parsing .*: (invalid syntax|value .*)$`)

// flagError adds to an error where the flags are listed. An id that Baidu made may be negative,
// and a user who types one does not mean a flag.
func flagError(c *cobra.Command, err error) error {
	text := badNumber.ReplaceAllString(err.Error(), "type a whole number, such as 1000")
	command := c.CommandPath()
	if !c.HasParent() {
		command += " run" // whose flags these are
	}
	if m := badLetter.FindStringSubmatch(text); m != nil {
		if c.Name() == "decode" {
			if _, err := readID(m[1], nil); err != nil {
				return err
			}
		}
		text = m[1] + ": numbers here are 0 or more"
	}
	return usagef("%s; `%s --help` lists the flags", text, command)
}
