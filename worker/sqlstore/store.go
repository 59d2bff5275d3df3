package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"math"
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
	*recycled
}

type recycled = Leases

func newStore(a *access, d dialect) *Store {
	s := &Store{access: a, dialect: d}
	s.recycled = s.Leases()
	return s
}

// MySQL keeps worker ids in a MySQL or MariaDB database.
func MySQL(db *sql.DB) *Store { return newStore(toServer(db, mysqlFaults), mysql) }

// Postgres keeps worker ids in a PostgreSQL database, in the first schema of the
// connection's search path.
func Postgres(db *sql.DB) *Store { return newStore(toServer(db, postgresFaults), postgres) }

// SQLite keeps worker ids in a SQLite database, for the processes that share its
// file on a local disk. SQLiteDSN says how to open it.
func SQLite(db *sql.DB) *Store { return newStore(toFile(db, sqliteFaults), sqlite) }

// Row is a row of the table: one start of a process.
type Row struct {
	ID int64 // the worker id
	worker.Node
	Modified, Created time.Time // to the second; zero when the row has none
}

// Schema returns the statement that creates the table WORKER_NODE if it is missing.
func (s *Store) Schema() string { return s.schema }

// CreateTable creates the table if it is missing, and what else Register needs: uid_space, which
// records the worker ids of Leases' namespaces, and on MySQL before 8.0 uid_key. It
// leaves existing tables as they are; the error wraps ErrShape when WORKER_NODE lacks a
// column, and store.ErrStore for a SQLite database in memory. Any number of processes may
// do this at once.
func (s *Store) CreateTable(ctx context.Context) error {
	if err := s.shared(ctx); err != nil {
		return s.explainRead("creating the table", err)
	}
	for _, schema := range []string{s.schema, s.spaces} {
		if err := s.execAll(ctx, schema); err != nil {
			return s.explain("creating the table", err)
		}
	}
	if _, err := s.Nodes(ctx, 1); err != nil {
		return err
	}
	if err := s.keep(ctx, s); err != nil {
		return s.explain("creating uid_key", err)
	}
	return nil
}

// shared returns an error when other processes cannot see the rows: the database is in
// memory, or its file is not the one that was opened.
func (s *Store) shared(ctx context.Context) error {
	return s.reading(ctx, func(ctx context.Context, h handle) error {
		return s.watch(ctx, h, s.recycled)
	})
}

// Class reads the settings of the server: worker.NeverReused, or an error that wraps
// store.ErrStore. The package's documentation lists them. Check is its like for leases.
func (s *Store) Class(ctx context.Context) (store.Class, error) {
	if err := s.fit(ctx, s); err != nil {
		return 0, s.explainRead("checking the settings", err)
	}
	return store.NeverReused, nil
}

// Register adds a row for n and returns its key, 1 or more. The error wraps ErrNoTable,
// ErrShape, ErrDenied or ErrCounter, store.ErrStore for a SQLite database in memory,
// store.ErrOverlap for a key that is the worker id of a namespace for the same layout, or
// the error of the context or the driver. After any error, a key that was generated is used
// up, and registering again is safe. Settings that may lose the row are found by Class.
func (s *Store) Register(ctx context.Context, n worker.Node, need worker.Need) (int64, error) {
	if err := s.shared(ctx); err != nil {
		return 0, s.explainRead("registering", err)
	}
	// The date goes as text: drivers disagree about the time zone of a Time.
	date := n.LaunchDate.Format(time.DateOnly)
	id, err := s.add(ctx, s.access, s.insert, n.HostName, n.Port, int(n.Type), date)
	if err != nil {
		return 0, s.explain("registering", err)
	}
	if id < 1 {
		return 0, fmt.Errorf("sqlstore: registering in %s: %w: the new row's key is %d, "+
			"so the column ID does not count up by itself: %s", s.name, ErrShape, id,
			s.hint(ErrShape, ErrShape))
	}
	if err := s.look(ctx, id, need); err != nil {
		return 0, err
	}
	return id, nil
}

// look refuses a key that a namespace has. It comes after the row: an Init that
// does not see the row has written its record before.
func (s *Store) look(ctx context.Context, key int64, need worker.Need) error {
	var records []string
	err := s.reading(ctx, func(ctx context.Context, h handle) (err error) {
		records, err = texts(ctx, h, s.space, need.Fingerprint)
		return err
	})
	if err != nil && s.bears(err, s.noTable) {
		return nil // there never was a namespace
	}
	if err != nil {
		return s.explain("looking for namespaces", err)
	}
	for _, text := range records {
		space, err := store.ParseSpace(text)
		if err == nil {
			err = space.Refuse(key)
		}
		if err != nil {
			return fmt.Errorf("sqlstore: registering in %s: %w", s.name, err)
		}
	}
	return nil
}

// Nodes returns the newest limit rows, newest first, or all rows for a limit of 0 or
// less. Its errors are those of Register.
func (s *Store) Nodes(ctx context.Context, limit int) ([]Row, error) {
	most := int64(limit)
	if limit <= 0 {
		most = math.MaxInt64
	}
	var nodes []Row
	err := s.reading(ctx, func(ctx context.Context, h handle) (err error) {
		nodes, err = s.query(ctx, h, most)
		return err
	})
	if err != nil {
		return nil, s.explainRead("listing", err)
	}
	return nodes, nil
}

func (s *Store) query(ctx context.Context, h handle, most int64) ([]Row, error) {
	rows, err := h.QueryContext(ctx, s.list, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var nodes []Row
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, r)
	}
	return nodes, rows.Err()
}

// scan reads a row of the list statement. Times are seconds and dates are text
// there, so that no driver's idea of them comes in.
func scan(rows *sql.Rows) (Row, error) {
	var (
		r                 Row
		date              sql.NullString
		modified, created sql.NullInt64
	)
	err := rows.Scan(&r.ID, &r.HostName, &r.Port, &r.Type, &date, &modified, &created)
	if err != nil {
		return Row{}, err
	}
	r.LaunchDate, _ = time.Parse(time.DateOnly, date.String) // zero for 0000-00-00
	r.Modified, r.Created = instant(modified), instant(created)
	return r, nil
}

func instant(seconds sql.NullInt64) time.Time {
	if !seconds.Valid || seconds.Int64 == 0 {
		return time.Time{}
	}
	return time.Unix(seconds.Int64, 0).UTC()
}
