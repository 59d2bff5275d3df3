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

// followed reports whether a newcomer follows this page, whose programs and commands are run.
func (p page) followed() bool {
	return p.name == "README.md" || strings.HasPrefix(p.name, "docs/start/")
}

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
	for strings.Contains(words[0], "=") {
		n.env, words = append(n.env, words[0]), words[1:]
	}
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env = n.dir, n.env
	var errors strings.Builder
	c.Stderr = &errors
	out, err := c.Output()
	require.NoError(n.t, err, "%s\n%s", line, &errors)
	return string(out)
}

// follows does what a section of a page says: programs go into main.go, commands are run, unless
// they need a daemon.
func (n newcomer) follows(section string) {
	n.t.Helper()
	for _, block := range fence.FindAllStringSubmatch(section, -1) {
		switch block[1] {
		case "go":
			main := filepath.Join(n.dir, "main.go")
			require.NoError(n.t, os.WriteFile(main, []byte(block[2]), 0o644))
		case "sh":
			for line := range strings.Lines(block[2]) {
				if !strings.HasPrefix(line, "docker ") && !strings.HasPrefix(line, "kubectl ") {
					n.runs(line)
				}
			}
		}
	}
}

var anID = regexp.MustCompile(`^[0-9]{17,19}\n$`)

func TestTheQuickStartWorks(t *testing.T) {
	env, _ := published(t)
	_, section, found := strings.Cut(readPage(t, "README.md").text, "\n## Quick start\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	n := newcomer{t, t.TempDir(), env}
	n.follows(section)
	ids := []string{n.runs("go run ."), n.runs("go run ."), n.runs("go run .")}
	for _, id := range ids {
		assert.Regexp(t, anID, id)
	}
	// In the first minute of a pool the second start may have the smaller id.
	slices.Sort(ids)
	assert.Len(t, slices.Compact(slices.Clone(ids)), len(ids), "no id twice: %v", ids)
}

// It is what a newcomer reads first.
func TestMainsAreShort(t *testing.T) {
	main := regexp.MustCompile(`(?ms)^func main\(\) \{$.*?^\}`)
	for _, p := range pages(t) {
		if p.followed() {
			require.Len(t, p.programs(), 1, p.name)
			lines := strings.Split(main.FindString(p.programs()[0]), "\n")
			assert.LessOrEqual(t, len(lines), 15, p.name)
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
	for _, name := range []string{"README.md", "docs/start.md", "docs/start/baidu.md"} {
		translation := readPage(t, strings.TrimSuffix(name, ".md")+".zh_cn.md")
		assert.Equal(t, code(readPage(t, name)), code(translation), translation.name)
	}
}

// So it is run.
func TestAWholeProgramIsOnAPageThatIsFollowed(t *testing.T) {
	for _, p := range pages(t) {
		assert.True(t, p.followed() || p.name == "README.zh_cn.md" || len(p.programs()) == 0, p.name)
	}
}
