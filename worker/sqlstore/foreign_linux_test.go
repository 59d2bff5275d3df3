package sqlstore

import (
	"os"
	"testing"

	"github.com/DATA-DOG/go-sqlmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
)

func TestAFileThatOtherMachinesMayHave(t *testing.T) {
	db, mock := mocked(t)
	raw, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer raw.Close()
	check := func(path string) error {
		mock.ExpectQuery("pragma_database_list").WillReturnRows(sqlmock.NewRows([]string{"synchronous",
			"journal_mode", "file"}).AddRow(3, "delete", path))
		_, err := checkSQLite(t.Context(), conn{raw: raw, d: sqlite}, true)
		return err
	}
	local, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	require.NoError(t, local.Close())
	require.NoError(t, check(local.Name()))
	testserver.OnFUSE(t, func(dir string) {
		err := check(dir)
		assert.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "is on FUSE")
	})
}
