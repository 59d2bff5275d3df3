package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What pflag says of flags that it cannot read.
var (
	badValue = regexp.MustCompile(
		`^(invalid argument .* for "(?:-\w, )?--([\w-]+)" flag)(?:: (?:strconv|time)\..*|: time: .*)$`)
	badName   = regexp.MustCompile(`^unknown flag: --([\w-]+)$`)
	badLetter = regexp.MustCompile(`^unknown shorthand flag: '\d' in (-\d+)`)
)

// flagError says what to type instead. How a value was found out to be wrong helps
// nobody.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if m := badValue.FindStringSubmatch(text); m != nil {
		text = m[1] + howToType(c.Flag(m[2]))
	}
	command := c.CommandPath()
	if !c.HasParent() {
		command += " run" // whose flags these are
	}
	if m := badName.FindStringSubmatch(text); m != nil {
		if name := similarFlag(c, m[1]); name != "" {
			return usagef("%s: did you mean --%s? `%s --help` lists the flags", text, name, command)
		}
	}
	if m := badLetter.FindStringSubmatch(text); m != nil {
		if c.Name() == "decode" { // an id that Baidu made, say, whose user knows nothing of --
			if _, _, err := (formReader{}).read(m[1]); err != nil {
				return err
			}
		}
		text = m[1] + ": numbers here are 0 or more"
	}
	return usagef("%s; `%s --help` lists the flags", text, command)
}

// allSet is what cobra says of flags that exclude each other.
var allSet = regexp.MustCompile(`none of the others can be; \[(.*)\] were all set$`)

// groupError says which flags are one too many.
func groupError(err error) error {
	if err == nil {
		return nil
	}
	if m := allSet.FindStringSubmatch(err.Error()); m != nil {
		return usagef("--%s exclude each other: type one of them",
			strings.ReplaceAll(m[1], " ", " and --"))
	}
	return usageError{err}
}

// howToType shows a value of a flag.
func howToType(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return ": type it with a unit, like 5s, 2m30s or 100us"
	case "int", "int64":
		return ": type a whole number"
	case "float64":
		return ": type a number"
	}
	return ""
}

// similarFlag is a flag of which the name is the beginning, or that begins with it; ""
// if there is none.
func similarFlag(c *cobra.Command, name string) (similar string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if similar == "" && len(name) > 2 &&
			(strings.HasPrefix(f.Name, name) || strings.HasPrefix(name, f.Name)) {
			similar = f.Name
		}
	})
	return similar
}
