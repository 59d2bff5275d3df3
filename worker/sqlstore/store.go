package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Store keeps worker ids in a database: new ones for worker.Disposable, in the table
// WORKER_NODE, and recycled ones for worker.Leased, in tables of their own. It is a
// worker.Registrar and a worker.Store. Its methods may be called from any goroutine.
type Store struct {
	*access
	dialect
	file *file // of SQLite
}

// MySQL keeps worker ids in a MySQL or MariaDB database.
func MySQL(db *sql.DB) *Store {
	return &Store{access: toServer(db, mysqlFaults), dialect: mysql}
}

// Postgres keeps worker ids in a PostgreSQL database, in the first schema of the
// connection's search path.
func Postgres(db *sql.DB) *Store {
	return &Store{access: toServer(db, postgresFaults), dialect: postgres}
}

// SQLite keeps worker ids in a SQLite database, for the processes that share its
// file on a local disk. SQLiteDSN says how to open it.
func SQLite(db *sql.DB) *Store {
	return &Store{access: toFile(db, sqliteFaults), dialect: sqlite, file: &file{}}
}

// Schema returns the statements that create the tables that are missing, each ended by a
// semicolon and a new line: WORKER_NODE for Disposable, uid_lease and uid_lease_head for
// Leased.
func (s *Store) Schema() string { return s.nodes + "\n" + s.leases }

// CreateTable creates the tables that are missing. Leased creates its own two when it starts,
// if the user may. It leaves existing tables as they are; the error wraps store.ErrStore when
// WORKER_NODE lacks a column, and for a SQLite database in memory. Any number of processes may
// do this at once.
func (s *Store) CreateTable(ctx context.Context) error {
	err := s.shared(ctx)
	if err == nil {
		err = s.execAll(ctx, s.Schema())
	}
	if err != nil {
		return s.explain("creating the tables", err, nodes, nothing)
	}
	return s.explain("creating the tables", s.shaped(ctx), nodes, nothing)
}

// shaped returns an error when WORKER_NODE lacks a column.
func (s *Store) shaped(ctx context.Context) error {
	return s.reading(ctx, func(ctx context.Context, h handle) error {
		rows, err := h.QueryContext(ctx, `SELECT ID, HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED
FROM WORKER_NODE WHERE ID < 0`)
		if err != nil {
			return err
		}
		defer rows.Close()
		rows.Next()
		return rows.Err()
	})
}

// shared returns an error when other processes cannot see the rows: the database is in
// memory, or its file is not the one that was opened.
func (s *Store) shared(ctx context.Context) error {
	return s.reading(ctx, func(ctx context.Context, h handle) error {
		_, err := s.incarnation(ctx, h)
		return err
	})
}

// Check reads the settings of the server that decide the class of a lease. The package's
// documentation lists them, and what no setting shows.
func (s *Store) Check(ctx context.Context) (store.Class, error) {
	class, err := s.check(ctx, s, true)
	if err != nil {
		return 0, s.explain("checking the settings", err, leases, nothing)
	}
	return class, nil
}

// Class reads the settings of the server: worker.NeverReused, or an error that wraps
// store.ErrStore. The package's documentation lists them. Check is its like for leases.
func (s *Store) Class(ctx context.Context) (store.Class, error) {
	if _, err := s.check(ctx, s, false); err != nil {
		return 0, s.explain("checking the settings", err, nodes, nothing)
	}
	return store.NeverReused, nil
}

// Register adds a row for n and returns its key, 1 or more. The error wraps ErrDenied,
// store.ErrNotMade, store.ErrStore for a table of another shape or a SQLite
// database in memory, store.ErrOverlap for a key that is a worker id which Leased
// recycles, or the error of the context or the driver. After any error, a key that was
// generated is used up, and registering again is safe. Settings that may lose the row are
// found by Class.
func (s *Store) Register(ctx context.Context, n worker.Node, need worker.Need) (int64, error) {
	id, err := s.register(ctx, n)
	if err != nil {
		return 0, s.explain("registering", err, nodes, aRow)
	}
	if err := s.explain("registering", s.apart(ctx, id, need), nodes, nothing); err != nil {
		return 0, err
	}
	return id, nil
}

func (s *Store) register(ctx context.Context, n worker.Node) (int64, error) {
	if err := s.shared(ctx); err != nil {
		return 0, err
	}
	// The date goes as text: drivers disagree about the time zone of a Time.
	date := n.LaunchDate.Format(time.DateOnly)
	var id int64
	err := s.writing(ctx, func(ctx context.Context, h handle) (err error) {
		id, err = s.add(ctx, h, s.insert, n.HostName, n.Port, int(n.Type), date)
		return err
	})
	if err == nil && id < 1 {
		err = unfit("the new row's key is %d, so the column ID does not count up by itself: compare the "+
			"table with Store.Schema", id)
	}
	return id, err
}

// apart refuses a key that is the worker id of a pool. It comes after the row: who opens a
// row of a pool that is not seen here reads the key counter after that, and refuses.
func (s *Store) apart(ctx context.Context, key int64, need worker.Need) error {
	var there bool
	var last int64
	err := s.reading(ctx, func(ctx context.Context, h handle) (err error) {
		return h.QueryRowContext(ctx, s.bind(`SELECT COUNT(CASE WHEN worker_id = ? THEN 1 END) > 0,
    COALESCE(MAX(worker_id), 0) FROM uid_lease`, ""), key).Scan(&there, &last)
	})
	switch {
	case err != nil && s.missing(err), err == nil && !there:
		return nil
	case err != nil:
		return err
	case last >= need.MaxID:
		return fmt.Errorf("%w: worker.Leased recycles worker id %d, which is the new row's key, and "+
			"those up to the last that the layout holds: use Leased for all processes, or another "+
			"database for ids that never meet", store.ErrOverlap, key)
	}
	return fmt.Errorf("%w: worker.Leased recycles worker id %d, which is the new row's key: use "+
		"Leased for all processes, or have the keys continue above its worker ids: %s",
		store.ErrOverlap, key, s.counter(last+1))
}
