// Package examples holds docs/start.md to its example.
package examples

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// whole is a program in a page.
var whole = regexp.MustCompile("(?s)```go\n(package main.*?)```")

// Fleet is run by a test here, and the README's program by those of internal/docs.
func TestTheProgramOfThePageIsFleet(t *testing.T) {
	text, err := os.ReadFile("../docs/start.md")
	require.NoError(t, err)
	programs := whole.FindAllStringSubmatch(string(text), -1)
	require.Len(t, programs, 1)
	source, err := os.ReadFile("fleet/main.go")
	require.NoError(t, err)
	_, program, _ := strings.Cut(string(source), "\npackage main")
	assert.Equal(t, program, strings.TrimPrefix(programs[0][1], "package main"))
}
