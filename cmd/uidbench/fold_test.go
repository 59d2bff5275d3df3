package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown is what a command writes, to a pipe or to a terminal of a width.
func shown(t *testing.T, width int, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	var stdout io.Writer = &out
	if width > 0 {
		stdout = &folder{w: &out, width: width}
	}
	require.Contains(t, []int{exitOK, exitError}, run(t.Context(), args, stdout, &errors), "%v: %s", args, errors.String())
	return out.String()
}

// unbroken: no line is longer than the terminal, and each word of the one text is a word of
// the other.
func unbroken(t *testing.T, width int, plain, folded string) {
	t.Helper()
	for line := range strings.Lines(folded) {
		line = strings.TrimRight(line, "\n")
		longest := 0
		for _, w := range strings.Fields(line) {
			longest = max(longest, length(w))
		}
		long := length(line) > width && longest < width*2/3 && !strings.Contains(line, "'")
		assert.False(t, long, "longer than %d: %q", width, line)
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(folded) {
		words[w] = true
	}
	for _, w := range strings.Fields(plain) {
		assert.True(t, words[w], "the word %q is broken", w)
	}
}

func TestNoWordIsBrokenInATerminal(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	const store, ids = "sqlite:w.db", "ids"
	require.NoError(t, os.WriteFile(ids, []byte("538815673191686141\n538815673191686142\n2123627392005050368\n"), 0o600))
	layout := []string{"--layout", "38/10/10@10ms"}
	shown(t, 0, append([]string{"worker", "init", "--store", store, "--fresh", "--assigner", "leased"}, layout...)...)
	shown(t, 0, append([]string{"worker", "acquire", "--store", store, "--hold", "0s"}, layout...)...)
	for _, args := range []string{
		"plan --from 2026-11-21 --epoch 2026-11-21",
		"plan --recycled --nodes 5 --rate 100k --from 2026-11-21",
		"migrate --from baidu --to default --at 2026-06-01",
		"migrate --from snowflake --to snowflake --at 2026-06-01",
		"worker list --assigner leased --store " + store + " --limit 5",
		"verify " + ids + " --epoch 2025-11-22",
		"decode 448270890644275200 --forms",
	} {
		args := strings.Fields(args)
		plain := shown(t, 0, args...)
		if args[0] == "verify" || args[1] == "list" { // they have times in them
			plain = ""
		}
		for _, width := range []int{80, 60} {
			unbroken(t, width, plain, shown(t, width, args...))
		}
	}
}

func TestHelpFitsTheTerminal(t *testing.T) {
	var all func(c *cobra.Command, path []string)
	all = func(c *cobra.Command, path []string) {
		if len(path) == 0 || path[0] != "completion" { // cobra's own
			args := append([]string{"help"}, path...)
			unbroken(t, 80, shown(t, 0, args...), shown(t, 80, args...))
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				all(sub, append(path[:len(path):len(path)], sub.Name()))
			}
		}
	}
	all(newRoot(io.Discard, io.Discard), nil)
}

func TestWhatMachinesReadIsNotFolded(t *testing.T) {
	args := strings.Fields("plan --format json --from 2026-11-21 --nodes 4000000 --recycled --rate 8000 --years 8")
	assert.Equal(t, shown(t, 0, args...), shown(t, 40, args...))
}

func TestATableShowsItsFirstColumnAgain(t *testing.T) {
	var out strings.Builder
	f := &folder{w: &out, width: 30}
	_, err := io.WriteString(f, `a sentence of more than thirty letters in all
  WORKER  IDS    FIRST    LAST  DUPLICATES
       6    3  12:00:0  12:00:          10
      17  100  12:00:1  12:00:           0

  label   a text that is too long for the line
  other   short
uidbench run --store sqlite:x --namespace 'a b c d e f'
`)
	require.NoError(t, err)
	require.NoError(t, f.flush())
	assert.Equal(t, `a sentence of more than thirty
letters in all
  WORKER  IDS    FIRST    LAST
       6    3  12:00:0  12:00:
      17  100  12:00:1  12:00:

  WORKER  DUPLICATES
       6          10
      17           0

  label   a text that is too
          long for the line
  other   short
uidbench run --store sqlite:x
--namespace 'a b c d e f'
`, out.String())
	assert.Equal(t, []string{"  uidbench run --store sqlite:x \\", "      --namespace 'a b c d e f'"},
		foldText("  uidbench run --store sqlite:x --namespace 'a b c d e f'", 40))
}

func TestLinesAreWrittenWhenTheyAreComplete(t *testing.T) {
	var out strings.Builder
	f := &folder{w: &out, width: 80}
	_, err := io.WriteString(f, "worker id 2 from here\nid  12\n")
	require.NoError(t, err)
	assert.Equal(t, "worker id 2 from here\n", out.String(), "a table may go on")
	require.NoError(t, f.flush())
	assert.Equal(t, "worker id 2 from here\nid  12\n", out.String())
}
