package orm

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fenced is Go code in a page.
var fenced = regexp.MustCompile("(?s)```go\n(.*?)```")

// indented is what a line begins with.
var indented = regexp.MustCompile(`(?m)^[ \t]+`)

func TestTheGuideShowsCodeThatIsTested(t *testing.T) {
	page, err := os.ReadFile("../../docs/guide.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Ids as keys\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var tested strings.Builder
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		tested.WriteString(indented.ReplaceAllString(string(code), ""))
	}
	blocks := fenced.FindAllStringSubmatch(section, -1)
	assert.GreaterOrEqual(t, len(blocks), 4)
	for _, block := range blocks {
		code := indented.ReplaceAllString(block[1], "")
		assert.True(t, strings.Contains(tested.String(), code), "no file here has\n%s", block[1])
	}
}
