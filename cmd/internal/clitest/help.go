package clitest

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
)

// Walk visits a command that people see, and all below it, but for cobra's own.
func Walk(c *cobra.Command, visit func(*cobra.Command)) {
	if c.Hidden || c.Name() == "completion" {
		return
	}
	visit(c)
	for _, sub := range c.Commands() {
		Walk(sub, visit)
	}
}

// CheckHelp checks that each command says what it does, and shows how.
func CheckHelp(t *testing.T, root *cobra.Command) {
	Walk(root, func(c *cobra.Command) {
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
