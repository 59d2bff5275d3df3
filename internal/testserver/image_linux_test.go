package testserver_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

// A file of a container's image is another one as soon as somebody writes it. This is not among the
// tests of package uid, which import no servers.
func TestAGenerationInAFileOfAnImage(t *testing.T) {
	dir := t.TempDir()
	var options string
	for _, layer := range []string{"lower", "upper", "work"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, layer), 0o700))
		options += "," + layer + "dir=" + filepath.Join(dir, layer)
	}
	merged := filepath.Join(dir, "merged")
	require.NoError(t, os.Mkdir(merged, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lower", "word"), make([]byte, 8), 0o600))
	testserver.Mounted(t, "overlayfs", func() error {
		return syscall.Mount("overlay", merged, "overlay", 0, options[1:])
	}, func() {
		word, err := uid.MapGeneration(filepath.Join(merged, "word"))
		if !assert.NoError(t, err) {
			return
		}
		out, err := os.OpenFile(filepath.Join(merged, "word"), os.O_WRONLY, 0)
		if assert.NoError(t, err) {
			_, err = out.WriteString("12345678")
			assert.NoError(t, err)
			assert.NoError(t, out.Close())
		}
		assert.NotZero(t, word.Load())

		assert.NoError(t, syscall.Mount("", merged, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		_, err = uid.MapGeneration(filepath.Join(merged, "word"))
		assert.ErrorContains(t, err, "put it on a volume")
	})
}
