package integration

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

func TestSQLiteDSNOpensTheVeryFile(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := t.TempDir()
	for _, name := range []string{"w.db", "with space.db", "50%.db", "what?.db", "a#b.db", "a&b=c.db",
		"ü.db", "%41.db"} {
		for _, path := range []string{name, filepath.Join(folder, name)} {
			open(t, "sqlite", sqlstore.SQLiteDSN(path), nil).inited()
			_, err := os.Stat(path)
			require.NoError(t, err, path)
		}
	}
}
