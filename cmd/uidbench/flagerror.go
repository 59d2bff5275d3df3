package main

import (
	"regexp"

	"github.com/spf13/cobra"
)

// badLetter is what pflag says of a negative number.
var badLetter = regexp.MustCompile(`^unknown shorthand flag: '\d' in (-\d+)`)

// flagError says where the flags are listed. An id that Baidu made may be negative, and whoever
// types it knows nothing of flags.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	command := c.CommandPath()
	if !c.HasParent() {
		command += " run" // whose flags these are
	}
	if m := badLetter.FindStringSubmatch(text); m != nil {
		if c.Name() == "decode" {
			if _, err := (formReader{}).read(m[1]); err != nil {
				return err
			}
		}
		text = m[1] + ": numbers here are 0 or more"
	}
	return usagef("%s; `%s --help` lists the flags", text, command)
}
