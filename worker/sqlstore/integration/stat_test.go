package integration

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// MariaDB takes the second in which a table was made from the system, and its TABLES keep it for
// each of the tables that it has open. When the file's owner, mode or links change, or CHECK TABLE
// writes a newer version there, statements would see different ones, until FLUSH TABLES.
func TestTheFileOfATableIsChanged(t *testing.T) {
	t.Parallel()
	e := among(t, "MariaDB")
	e.leased()
	holds, err := e.db.Conn(t.Context())
	require.NoError(t, err)
	defer holds.Close()
	run := func(statement string) {
		_, err := holds.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	var folder string
	require.NoError(t, holds.QueryRowContext(t.Context(), "SELECT @@datadir").Scan(&folder))
	file := filepath.Join(folder, e.database(), "uid_lease.frm")
	run("FLUSH TABLES uid_lease, uid_lease_head")
	run("HANDLER uid_lease OPEN")
	made, err := os.Stat(file)
	require.NoError(t, err)
	leasetest.Until(t, "it was made in an earlier second", func() error {
		if time.Since(made.ModTime()) < 2*time.Second {
			return errors.New("it is the same")
		}
		return os.Chmod(file, made.Mode())
	})
	leasetest.View(t, e.Store) // opens the table once more
	run("HANDLER uid_lease CLOSE")
	was := leasetest.View(t, e.Store)
	_, err = e.Raise(t.Context(), leasetest.Pool, was.Head, leasetest.Pool.Window(), was.Slack)
	require.NoError(t, err)
	is := leasetest.View(t, e.Store)
	assert.Equal(t, is.Server, is.Epoch)
}
