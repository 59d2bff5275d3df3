package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

// walk visits a command that people see, and all below it, but for cobra's own.
func walk(c *cobra.Command, visit func(*cobra.Command)) {
	if c.Hidden || c.Name() == "completion" {
		return
	}
	visit(c)
	for _, sub := range c.Commands() {
		walk(sub, visit)
	}
}

func TestTheHelpIsAScreenOfCommands(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}} {
		var help bytes.Buffer
		assert.Equal(t, exitOK, run(t.Context(), args, &help, io.Discard))
		assert.LessOrEqual(t, strings.Count(help.String(), "\n"), 24, help.String())
		for _, group := range groups {
			assert.Contains(t, help.String(), group.Title+"\n  ")
		}
		assert.NotContains(t, help.String(), "--duration")
	}
	flags := 0
	newRun().Flags().VisitAll(func(*pflag.Flag) { flags++ })
	assert.LessOrEqual(t, flags, 22, "flags of run")
}

func TestEveryCommandSaysWhatItDoesAndShowsHow(t *testing.T) {
	walk(newRoot(io.Discard, io.Discard), func(c *cobra.Command) {
		assert.NotEmpty(t, c.Short, c.CommandPath())
		assert.Greater(t, len(c.Long), len(c.Short), c.CommandPath())
		if c.HasParent() {
			assert.NotEmpty(t, c.Example, c.CommandPath())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 125, "%s: too wide for a terminal",
				c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden { // help does not show it
				return
			}
			name, usage := pflag.UnquoteUsage(f)
			assert.NotEmpty(t, usage, "%s --%s", c.CommandPath(), f.Name)
			assert.Equal(t, strings.ToUpper(name), name, "%s --%s names its value in lower case",
				c.CommandPath(), f.Name)
		})
	})
}
