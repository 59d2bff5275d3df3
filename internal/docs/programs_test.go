package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// followed are the pages that a newcomer follows, whose programs and commands are run.
var followed = []string{"README.md", "docs/start.md"}

// newcomer has an empty folder, and gets this tree's modules as they will be published.
type newcomer struct {
	t   *testing.T
	dir string
	env []string
}

// runs a command in the newcomer's folder, and returns what it prints.
func (n newcomer) runs(line string) string {
	n.t.Helper()
	words := strings.Fields(line)
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env = n.dir, n.env
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	require.NoError(n.t, err, "%s\n%s", line, &errors)
	return string(out)
}

// follows does what a section of a page says: programs go into main.go, commands are run.
// It returns what each line of commands printed.
func (n newcomer) follows(section string) (printed []string) {
	n.t.Helper()
	for _, block := range fence.FindAllStringSubmatch(section, -1) {
		switch block[1] {
		case "go":
			main := filepath.Join(n.dir, "main.go")
			require.NoError(n.t, os.WriteFile(main, []byte(block[2]), 0o644))
		case "sh":
			for line := range strings.Lines(block[2]) {
				printed = append(printed, n.runs(line))
			}
		}
	}
	return printed
}

var anID = regexp.MustCompile(`^[0-9]{17,19}\n$`)

// Programs that need a server are run by the tests of the examples; here they are built.
func TestWhatANewcomerReadsWorks(t *testing.T) {
	env, _ := published(t)
	for _, name := range followed {
		p := readPage(t, name)
		require.NotEmpty(t, p.programs(), name)
		for _, section := range strings.Split(p.text, "\n## ") {
			if !strings.Contains(section, "\n"+wholeProgram) {
				continue
			}
			title, _, _ := strings.Cut(section, "\n")
			t.Run(name+" "+title, func(t *testing.T) {
				n := newcomer{t, t.TempDir(), env}
				printed := n.follows(section)
				if !strings.Contains(section, "`go run .`") && !strings.Contains(section, "\ngo run .\n") {
					return
				}
				printed = append(printed, n.runs("go run ."), n.runs("go run ."))
				ids := slices.DeleteFunc(printed, func(s string) bool { return !anID.MatchString(s) })
				require.GreaterOrEqual(t, len(ids), 2)
				// In the first minute of a pool the second start may have the smaller id.
				slices.Sort(ids)
				assert.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "no id twice: %v", ids)
			})
		}
	}
}

// comment is what a translation may have in its language.
var comment = regexp.MustCompile(`(?m)[ \t]*(//|#) .*$`)

// So the programs of those in Chinese work, too.
func TestTheTranslationsOfThesePagesHaveTheirCode(t *testing.T) {
	code := func(p page) (all []string) {
		for _, block := range fence.FindAllString(p.text, -1) {
			all = append(all, comment.ReplaceAllString(block, ""))
		}
		return all
	}
	for _, name := range followed {
		translation := readPage(t, strings.TrimSuffix(name, ".md")+".zh_cn.md")
		assert.Equal(t, code(readPage(t, name)), code(translation), translation.name)
	}
}

// They may import whatever the modules of this workspace require.
func TestTheProgramsOfOtherPagesAreCompiled(t *testing.T) {
	for _, p := range pages(t) {
		if slices.Contains(followed, p.name) || strings.HasSuffix(p.name, ".zh_cn.md") {
			continue
		}
		for _, program := range p.programs() {
			file := filepath.Join(t.TempDir(), "main.go")
			require.NoError(t, os.WriteFile(file, []byte(program), 0o644))
			c := exec.Command("go", "vet", file)
			c.Dir = root
			out, err := c.CombinedOutput()
			assert.NoError(t, err, "%s\n%s", p.name, out)
		}
	}
}
