// Package examples holds the README to the examples that there are.
package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// command is how an example is run.
var command = regexp.MustCompile(`go run -C examples \./(\w+)`)

func TestReadmeHasEveryExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var listed []string
	for _, m := range command.FindAllStringSubmatch(string(readme), -1) {
		listed = append(listed, m[1])
	}
	mains, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	var there []string
	for _, main := range mains {
		there = append(there, filepath.Base(filepath.Dir(main)))
	}
	assert.ElementsMatch(t, there, listed)
}

func TestEachExampleSaysHowItIsRun(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, mains)
	for _, main := range mains {
		source, err := os.ReadFile(main)
		require.NoError(t, err)
		said := command.FindAllStringSubmatch(string(source), -1)
		if assert.NotEmpty(t, said, main) {
			assert.Equal(t, filepath.Dir(main), said[0][1])
		}
	}
}
