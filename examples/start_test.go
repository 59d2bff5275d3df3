// Package examples holds docs/start.md and the READMEs to the examples.
package examples

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// whole are the programs in a page.
var whole = regexp.MustCompile("(?s)```go\n(package main.*?)```")

// Those of the pages are the examples. A test here runs fleet, those of internal/docs the
// first one and the translations.
func TestTheProgramsOfThePagesAreTheExamples(t *testing.T) {
	for page, names := range map[string][]string{
		"../README.md":     {"first"},
		"../docs/start.md": {"fleet"},
	} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		programs := whole.FindAllStringSubmatch(string(text), -1)
		require.Len(t, programs, len(names), page)
		for i, name := range names {
			source, err := os.ReadFile(name + "/main.go")
			require.NoError(t, err)
			_, program, _ := strings.Cut(string(source), "\npackage main")
			shown := strings.TrimPrefix(programs[i][1], "package main")
			assert.Equal(t, program, shown, page)
		}
	}
}
