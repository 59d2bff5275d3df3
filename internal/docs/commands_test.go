package docs

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is what is run in one folder, line by line.
type script struct {
	place string // to name it in an error
	lines []string
}

// program begins what is a command wherever it stands.
var program = regexp.MustCompile(`^(uidbench|go run|go test|make)( |$)`)

// scripts finds the commands of a page.
func (p page) scripts() (all []script, mistakes []string) {
	for _, s := range p.sections {
		for _, b := range s.blocks {
			place := fmt.Sprintf("%s:%d", p.name, b.line)
			lines := commandLines(b.text)
			switch {
			case b.language == "sh":
				all = append(all, script{place, lines})
			case len(lines) > 0 && program.MatchString(lines[0]):
				mistakes = append(mistakes, fmt.Sprintf("%s: a block with commands is to be marked as ```sh", place))
			}
		}
		for _, w := range s.all() {
			all = append(all, p.inline(w.spans, "")...)
		}
		for _, t := range s.tables {
			all = append(all, p.completed(t)...)
		}
	}
	return all, mistakes
}

// inline are the commands among code in a sentence. A word alone, such as uidbench,
// is the name of the program. Where a span is a flag, it completes begin.
func (p page) inline(spans []span, begin string) (all []script) {
	for _, s := range spans {
		line := s.text
		if begin != "" && strings.HasPrefix(line, "-") {
			line = begin + line
		}
		if strings.HasSuffix(line, "…") || !program.MatchString(line) || !strings.Contains(line, " ") {
			continue
		}
		all = append(all, script{fmt.Sprintf("%s:%d", p.name, s.line), []string{line}})
	}
	return all
}

// completed are the commands of a table whose header has one with … at its end: each
// flag below completes it.
func (p page) completed(t table) (all []script) {
	for column, head := range t[0] {
		for _, s := range head.spans {
			begin, open := strings.CutSuffix(s.text, "…")
			if !open || !program.MatchString(begin) {
				continue
			}
			for _, row := range t[1:] {
				all = append(all, p.inline(row[column].spans, begin)...)
			}
		}
	}
	return all
}

// commandLines are the lines of a block, those that end with \ joined, without those
// that are a comment.
func commandLines(text string) (all []string) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// examples are those of a command's help, and of all commands that it lists.
func examples(t *testing.T, uidbench string, path ...string) (all []script) {
	t.Helper()
	out, err := exec.Command(uidbench, append(path, "--help")...).Output()
	require.NoError(t, err, path)
	parts := map[string]string{}
	for part := range strings.SplitSeq(string(out), "\n\n") {
		title, text, _ := strings.Cut(part, ":\n")
		parts[title] = text
	}
	name := strings.Join(append([]string{"uidbench"}, path...), " ")
	if lines := commandLines(parts["Examples"]); len(lines) > 0 {
		all = append(all, script{name + " --help", lines})
	}
	for line := range strings.Lines(parts["Available Commands"]) {
		sub := strings.Fields(line)[0]
		if len(path) == 0 && (sub == "completion" || sub == "help") {
			continue // cobra's own, which have no examples
		}
		all = append(all, examples(t, uidbench, append(path[:len(path):len(path)], sub)...)...)
	}
	return all
}

// commandPages are the pages whose commands are run.
var commandPages = []string{"README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "docs/*.md"}

func TestEveryCommandOfTheDocumentationRuns(t *testing.T) {
	w := newWorkshop(t)
	found := examples(t, w.uidbench)
	for _, p := range pages(t, commandPages...) {
		inPage, mistakes := p.scripts()
		assert.Empty(t, mistakes)
		found = append(found, inPage...)
	}
	seen := map[string]bool{}
	var all []script
	for _, s := range found {
		if key := strings.Join(s.lines, "\n"); !seen[key] {
			seen[key] = true
			all = append(all, s)
		}
	}
	require.Greater(t, len(all), 40)
	assert.Empty(t, unusedRules(all), "these rules are about no command any more: take them out")
	for _, s := range all {
		t.Run(filepath.Base(s.place)+" "+s.lines[0], func(t *testing.T) {
			t.Parallel()
			w.run(t, s)
		})
	}
}

func TestCommandsAreFoundWhereverTheyStand(t *testing.T) {
	p := parsePage("page.md", []byte(`
Type `+"`uidbench decode\nID`"+`, `+"`uidbench`, `worker list` or `go test ./uid`"+`.

| `+"`uidbench run …` | `other …`"+` |
|---|---|
| `+"`--count 1` or `uid`"+` | `+"`--flag`"+` |

`+"```sh\n# nothing\nmake \\\n  test # all\n```\n\n```\nuidbench plan\n```\n\n```\nan output\n```\n"))
	all, mistakes := p.scripts()
	assert.ElementsMatch(t, []script{
		{"page.md:2", []string{"uidbench decode ID"}},
		{"page.md:3", []string{"go test ./uid"}},
		{"page.md:7", []string{"uidbench run --count 1"}},
		{"page.md:10", []string{"make    test # all"}},
	}, all)
	assert.Equal(t, []string{"page.md:16: a block with commands is to be marked as ```sh"}, mistakes)
}
