package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// prepare has a root command behave as the commands of this repository do.
func prepare(root *cobra.Command) {
	root.Version = version(root.Name())
	root.SetVersionTemplate("{{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetFlagErrorFunc(FlagError)
	inOrder(root)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := c.ValidateFlagGroups(); err != nil {
			return AsUsage(err)
		}
		return filled(c)
	}
}

// inOrder has help list the flags of each command as they were bound.
func inOrder(c *cobra.Command) {
	c.Flags().SortFlags = false
	for _, sub := range c.Commands() {
		inOrder(sub)
	}
}

// filled refuses an empty text, which is what is left of a shell's variable that is not set: with
// another layout, or without a password, nobody would notice.
func filled(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(f); f.Value.Type() == "string" && f.Value.String() == "" {
			err = Usagef("--%s is empty: type %s, or leave it out", f.Name, what)
		}
	})
	return err
}

// NoArgs refuses arguments. It repeats none that could hold a password.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if strings.Contains(args[0], ":") {
		return Usagef("that is not a command; give a store with a flag: %s --store URL", c.CommandPath())
	}
	if s := c.SuggestionsFor(args[0]); len(s) > 0 {
		return Usagef("unknown command %q: did you mean `%s %s`?", args[0], c.CommandPath(), s[0])
	}
	if c.HasAvailableSubCommands() {
		return Usagef("unknown command %q; `%s --help` lists the commands", args[0], c.CommandPath())
	}
	return Usagef("%s takes no arguments, only flags; `%s --help` lists them", c.CommandPath(),
		c.CommandPath())
}

// version is what the Go command recorded when it built this.
func version(name string) string {
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
	}
	return fmt.Sprintf("%s %s %s %s/%s", name, v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// badLetter matches what pflag says about a negative number.
var badLetter = regexp.MustCompile(`^unknown shorthand flag: '\d' in (-\d+)`)

// What pflag says about a value that is none of its kind, or is too large.
var (
	badNumber = regexp.MustCompile(`strconv\.ParseU?[Ii]nt: parsing .*: (invalid syntax|value .*)$`)
	badFloat  = regexp.MustCompile(`strconv\.ParseFloat: parsing .*$`)
	badBool   = regexp.MustCompile(`strconv\.ParseBool: parsing .*$`)
	badSpan   = regexp.MustCompile(`time: (invalid duration|missing unit|unknown unit).*$`)
)

// FlagError adds to an error where the flags are listed.
func FlagError(c *cobra.Command, err error) error {
	text := badNumber.ReplaceAllString(err.Error(), "type a whole number, such as 1000")
	text = badFloat.ReplaceAllString(text, "type a number, such as 1.5")
	text = badBool.ReplaceAllString(text, "type true or false, or the flag alone")
	text = badSpan.ReplaceAllString(text, "type a time, such as 5s or 2m30s")
	if m := badLetter.FindStringSubmatch(err.Error()); m != nil {
		text = m[1] + ": numbers here are 0 or more"
		if c.Name() == "decode" {
			text = m[1] + ": type -- before a negative id"
		}
	}
	return Usagef("%s; `%s --help` lists the flags", text, c.CommandPath())
}
