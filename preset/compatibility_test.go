package preset

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/compatibility.md promises a test for each of its rows: each row names at
// least one, and every test that it names exists.
func TestCompatibilityNamesTestsThatExist(t *testing.T) {
	page, err := os.ReadFile("../docs/compatibility.md")
	require.NoError(t, err)
	tests := testsOf(t, "..")
	name := regexp.MustCompile("`((?:Test|Example|Fuzz)[A-Za-z0-9_]*)`")

	rows := 0
	for line := range strings.Lines(string(page)) {
		named := name.FindAllStringSubmatch(line, -1)
		for _, n := range named {
			assert.True(t, tests[n[1]], "there is no %s: %s", n[1], line)
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) == 6 && cells[1] != " behaviour " && !strings.HasPrefix(cells[1], "---") {
			rows++
			assert.NotEmpty(t, named, "no test: %s", line)
			assert.Regexp(t, name, cells[4], "the test is not in the last column: %s", line)
		}
	}
	assert.Greater(t, rows, 40)
}

// testsOf finds the names of all test functions under a folder.
func testsOf(t *testing.T, root string) map[string]bool {
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, f := range function.FindAllStringSubmatch(string(source), -1) {
			names[f[1]] = true
		}
		return err
	}))
	return names
}
