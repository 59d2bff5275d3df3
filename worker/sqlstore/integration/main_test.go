package integration

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// asProcess makes the test binary a process that registers: "driver|dsn|times".
const asProcess = "SQLSTORE_TEST_PROCESS"

func TestMain(m *testing.M) {
	if job := os.Getenv(asProcess); job != "" {
		if err := registerAsProcess(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// registerAsProcess waits for a line on stdin, registers, and prints the ids.
func registerAsProcess(job string) error {
	words := strings.Split(job, "|")
	db, err := sql.Open(words[0], words[1])
	if err != nil {
		return err
	}
	defer db.Close()
	times, err := strconv.Atoi(words[2])
	if err != nil {
		return err
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	assigner := worker.Disposable(stores[words[0]](db))
	for range times {
		lease, err := assigner.Assign(context.Background(), worker.Need{MaxID: 1 << 22})
		if err != nil {
			return err
		}
		fmt.Println(lease.WorkerID())
	}
	return nil
}

// stores is how a test gets from a driver to its store.
var stores = map[string]func(*sql.DB) *sqlstore.Store{"mysql": sqlstore.MySQL,
	"pgx": sqlstore.Postgres, "sqlite": sqlstore.SQLite}

// spawn starts a copy of this test binary, which waits for begin to be called and registers.
// ids waits for its end and returns what it got.
func spawn(t *testing.T, driver, dsn string, times int) (begin func(), ids func() []int64) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", asProcess, driver, dsn, times))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return func() { fmt.Fprintln(in) }, func() (ids []int64) {
		require.NoError(t, cmd.Wait())
		for _, word := range strings.Fields(out.String()) {
			id, err := strconv.ParseInt(word, 10, 64)
			require.NoError(t, err)
			ids = append(ids, id)
		}
		return ids
	}
}
