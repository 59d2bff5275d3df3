package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var excerpt = regexp.MustCompile(`(?m)^\t*// excerpt: (.*)$`)

// testdata/assistants_test.go says in which place each excerpt of the page is run, and what it
// does there.
func TestTheExcerptsForAssistantsAreRightAndWrong(t *testing.T) {
	excerpts := map[string]string{}
	for _, section := range strings.Split(readPage(t, "docs/assistants.md").text, "\n### ")[1:] {
		title, _, _ := strings.Cut(section, "\n")
		blocks := fence.FindAllStringSubmatch(section, -1)
		require.Len(t, blocks, 1, title)
		excerpts[title] = blocks[0][2]
	}
	test, err := os.ReadFile("testdata/assistants_test.go")
	require.NoError(t, err)
	run := excerpt.ReplaceAllStringFunc(string(test), func(place string) string {
		title := excerpt.FindStringSubmatch(place)[1]
		assert.Contains(t, excerpts, title)
		defer delete(excerpts, title)
		return excerpts[title]
	})
	assert.Empty(t, excerpts, "not run")
	file := filepath.Join(t.TempDir(), "assistants_test.go")
	require.NoError(t, os.WriteFile(file, []byte(run), 0o644))
	c := exec.Command("go", "test", "-count=1", file)
	c.Dir = root
	out, err := c.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}
