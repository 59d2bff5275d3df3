package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A worker id from an embedded file: three starts, three ids.
func ExampleSQLite() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)

	// The driver is imported for its name: _ "modernc.org/sqlite"
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(filepath.Join(folder, "worker.db")))
	if err != nil {
		panic(err)
	}
	defer db.Close()
	store := sqlstore.SQLite(db)
	ctx := context.Background()
	if err := store.CreateTable(ctx); err != nil { // creates the table where there is none
		panic(err)
	}

	assigner := worker.Disposable(store)
	for range 3 {
		// A generator's constructor does this.
		lease, err := assigner.Assign(ctx, worker.Need{Unit: time.Second, MaxID: 1<<22 - 1})
		fmt.Println(lease.WorkerID(), lease.Class(), err)
	}
	// Prints:
	// 1 NeverReused <nil>
	// 2 NeverReused <nil>
	// 3 NeverReused <nil>
}

// Recycled worker ids from an embedded file: who comes next starts right above
// the last tick that was minted.
func ExampleStore() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	// The driver is imported for its name: _ "modernc.org/sqlite"
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(filepath.Join(folder, "worker.db")))
	if err != nil {
		panic(err)
	}
	defer db.Close()
	store := sqlstore.SQLite(db)
	ctx := context.Background()

	need := worker.Need{Unit: time.Millisecond, MaxID: 1023, Fingerprint: "my-layout"}
	assigner := worker.Leased(store, worker.Claim{
		First: 7, Last: 7, Logger: slog.New(slog.DiscardHandler),
	})
	var minted int64
	for range 2 {
		lease, err := assigner.Assign(ctx, need) // a generator's constructor does this,
		if err != nil {
			panic(err)
		}
		lo, hi := lease.Grant()
		fmt.Println(lease.WorkerID(), lease.Class(), lo > minted, lo <= hi)
		minted = lo + 1
		if err := lease.Release(ctx, minted); err != nil { // and its Close that
			panic(err)
		}
	}
	// Prints:
	// 7 Fenced true true
	// 7 Fenced true true
}
