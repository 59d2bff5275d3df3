package testserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where folders are named, no other place counts.
func TestServersOfNamedFoldersAlone(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for _, file := range []string{filepath.Join(one, "a"), filepath.Join(two, "a"),
		filepath.Join(two, "b")} {
		require.NoError(t, os.WriteFile(file, nil, 0o700))
	}
	t.Setenv("UID_TEST_SERVERS", one+string(filepath.ListSeparator)+two)
	for program, folder := range map[string]string{"a": one, "b": two, "go": ""} {
		path, ok := finder(program, filepath.Join(two, "*"))()
		assert.Equal(t, folder != "", ok, program)
		if ok {
			assert.Equal(t, filepath.Join(folder, program), path)
		}
	}
	_, ok := findZooKeeper()
	assert.False(t, ok)
}
