package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// completions are what a shell gets to suggest for the last of args, and cobra's
// directive.
func completions(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	var stdout bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), append([]string{"__complete"}, args...), &stdout, io.Discard))
	lines := strings.Fields(stdout.String())
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestTheShellSuggestsTheWordsOfAFlag(t *testing.T) {
	for args, want := range map[string]string{
		"--format ":                    "text json bench",
		"run --format ":                "text json bench",
		"plan --format ":               "text json go",
		"run --generator ":             "cached default",
		"--arrivals ":                  "constant poisson",
		"sweep --path batch,":          "batch,take batch,stream batch,relaxed",
		"sweep --experiment ":          "time-bits worker-bits consumers",
		"soak --faults kill,p":         "kill,pause kill,store kill,clock kill,none",
		"soak --assigner ":             "leased static",
		"worker init --assigner ":      "disposable leased",
		"verify --ordered ":            "file worker",
		"worker list --store ":         "sqlite: mysql:// postgres:// redis:// rediss:// zk:// etcd:// k8s: static:",
		"run --count ":                 "",
		"run --duration 5s --format j": "text json bench", // the shell itself looks at the j
	} {
		words, _ := completions(t, strings.Split(args, " ")...)
		assert.Equal(t, want, strings.Join(words, " "), args)
	}
	shells, _ := completions(t, "completion", "")
	assert.Contains(t, shells, "zsh")
	presets, _ := completions(t, "migrate", "--from", "")
	assert.Contains(t, presets, "snowflake-4-10")
}

func TestTheShellSuggestsFilesWhereFilesBelong(t *testing.T) {
	const files, folders, none = ":0", ":16", ":4"
	for args, want := range map[string]string{
		"run --html ":        files,
		"soak --logs ":       folders,
		"verify ":            files,
		"worker exec ":       files,
		"run --rate ":        none,
		"run ":               none,
		"decode ":            none,
		"worker release ":    none,
		"worker steal 17 ":   none,
		"worker list --zone": none,
	} {
		_, directive := completions(t, strings.Split(args, " ")...)
		assert.Equal(t, want, directive, args)
	}
}

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

func TestEveryWordThatIsSuggestedIsDescribed(t *testing.T) {
	described := 0
	walk(newRoot(io.Discard, io.Discard), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, word := range suggestions(f) {
				described++
				assert.Contains(t, f.Usage+c.Long, word, "%s --%s", c.CommandPath(), f.Name)
			}
		})
	})
	assert.Greater(t, described, 50)
	for _, scheme := range schemes() {
		assert.Contains(t, storeForms, strings.TrimSuffix(scheme, "//"))
	}
}

// A flag whose description lists what there is has it suggested too.
func TestEveryListOfWordsIsSuggested(t *testing.T) {
	walk(newRoot(io.Discard, io.Discard), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); name == "FORM" || name == "WAY" || name == "WAYS" || name == "KIND" || name == "WHAT" {
				assert.NotEmpty(t, suggestions(f), "%s --%s", c.CommandPath(), f.Name)
			}
		})
	})
}

func TestEveryCommandSaysWhatItDoesAndShowsHow(t *testing.T) {
	walk(newRoot(io.Discard, io.Discard), func(c *cobra.Command) {
		assert.NotEmpty(t, c.Short, c.CommandPath())
		assert.Greater(t, len(c.Long), len(c.Short), c.CommandPath())
		assert.NotEmpty(t, c.Example, c.CommandPath())
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 125, "%s: too wide for a terminal", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden { // help does not show it
				return
			}
			name, usage := pflag.UnquoteUsage(f)
			assert.NotEmpty(t, usage, "%s --%s", c.CommandPath(), f.Name)
			assert.Equal(t, strings.ToUpper(name), name, "%s --%s names its value in lower case", c.CommandPath(), f.Name)
		})
	})
}
