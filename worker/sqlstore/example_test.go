package sqlstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A worker id from an embedded file: three starts, three ids.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)

	// The driver is imported for its name: _ "modernc.org/sqlite"
	store, err := sqlstore.Open("sqlite", filepath.Join(folder, "worker.db"))
	if err != nil {
		panic(err)
	}
	defer store.Close()
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
