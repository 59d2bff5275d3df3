//go:build darwin || linux

package docstore

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A Save is paused while it compares. Meanwhile people delete files, or the folder, and others use
// what they make anew. When it goes on, it does not replace that by what it was to write.
func TestAPausedSaveReplacesNothingNewer(t *testing.T) {
	for name, remove := range map[string]func(dir string) error{
		"the folder is deleted": os.RemoveAll,
		"the folder is moved":   func(dir string) error { return os.Rename(dir, dir+".old") },
		"its files are deleted": func(dir string) error {
			_ = os.Remove(filepath.Join(dir, "00.lock"))
			return os.Remove(filepath.Join(dir, "00"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "place")
			document := func() Document { return File(dir).(*place).at[0] } // of another process
			saved, err := document().Save(t.Context(), []byte("old"), "")
			require.NoError(t, err)
			require.True(t, saved)
			old, err := document().Load(t.Context())
			require.NoError(t, err)
			path := filepath.Join(dir, "00")
			require.NoError(t, os.Remove(path))
			require.NoError(t, syscall.Mkfifo(path, 0o666)) // whoever reads it waits
			paused := make(chan bool)
			go func() {
				saved, _ := document().Save(t.Context(), []byte("paused"), old.Tag)
				paused <- saved
			}()
			pipe, err := os.OpenFile(path, os.O_WRONLY, 0) // when the Save has opened it
			require.NoError(t, err)
			_, err = pipe.WriteString("old")
			require.NoError(t, err)

			require.NoError(t, remove(dir))
			newer, err := document().Save(t.Context(), []byte("newer"), "")
			require.NoError(t, err)
			require.NoError(t, pipe.Close())
			replaced := <-paused
			now, err := document().Load(t.Context())
			require.NoError(t, err)
			if newer {
				assert.Equal(t, "newer", string(now.Value))
			} else {
				assert.True(t, replaced, "the other was told to wait")
			}
		})
	}
}

// A process was killed before its file took the document's place. Another user's process may not
// write in that file.
func TestWhatAKilledProcessLeft(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(t.TempDir(), "kept")
	require.NoError(t, os.WriteFile(kept, []byte("another's"), 0o400))
	require.NoError(t, os.Symlink(kept, filepath.Join(dir, "00.new"))) // root may write elsewhere
	saved, err := File(dir).(*place).at[0].Save(t.Context(), []byte("new"), "")
	require.NoError(t, err)
	assert.True(t, saved)
}
