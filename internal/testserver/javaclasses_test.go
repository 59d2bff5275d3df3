package testserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJavaKeepsItsClasses(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("HOME", cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	s := ZooKeeper(t)
	kept, err := os.Stat(s.keptClasses())
	require.NoError(t, err)
	if kept.Size() > 0 { // else this Java cannot
		assert.Contains(t, s.kind.command(s).Args, "-XX:SharedArchiveFile="+s.keptClasses())
	}

	s.Stop()
	require.NoError(t, os.Remove(s.keptClasses()))
	require.NoError(t, os.WriteFile(s.keptClasses(), []byte("not classes"), 0o400))
	s.Start()
	assert.NoError(t, s.Ping(), "without them")

	none := filepath.Join(cache, "none")
	require.NoError(t, os.WriteFile(none, nil, 0o400))
	assert.Empty(t, sharedClasses(none))
}
