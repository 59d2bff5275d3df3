package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Store keeps worker ids in a database: new ones for worker.Disposable, in the table
// WORKER_NODE, and recycled ones for worker.Leased, in tables of their own. Its methods may be
// called from any goroutine.
type Store interface {
	store.Raiser

	// Register adds a row for a node and returns its key, 1 or more. The error wraps
	// worker.ErrDenied, worker.ErrNoTables, worker.ErrStore for a table of another shape or a SQLite
	// database in memory, worker.ErrOverlap for a key that is a worker id which Leased recycles, or
	// the error of the context or the driver. Kept is like Check, for the settings that may lose the
	// row, and asks for the right to look for keys that Leased recycles.
	store.Registrar

	// Schema returns the statements that create the tables that are missing, each ended by a
	// semicolon and a newline: WORKER_NODE for Disposable, uid_lease and uid_lease_head for
	// Leased.
	Schema() string

	// CreateTable creates the tables that are missing. It leaves others as they are; the error wraps
	// worker.ErrStore when WORKER_NODE lacks a column, and for a SQLite database in memory. Any
	// number of processes may do this at once.
	CreateTable(ctx context.Context) error

	// Nodes returns the newest limit rows of WORKER_NODE, newest first, or all rows for a limit of
	// 0 or less. Its errors are those of Register.
	Nodes(ctx context.Context, limit int) ([]Row, error)

	// Discarded counts the connections that were closed for what the application had left on them,
	// as the package's documentation lists.
	Discarded() int64
}

// tables are the tables of a Store. Its methods are described there, and at store.Store.
type tables struct {
	db *sql.DB
	dialect
	file *file // of SQLite

	known     atomic.Pointer[session] // of the last connection that something was done with
	discarded atomic.Int64
	stuck     atomic.Int64 // calls that nobody waits for, and whose driver has not returned
	held      sync.Map     // rowKey to the nonce of the last write by which this process held the row
}

// rowKey names a row of uid_lease.
type rowKey struct {
	layout string
	worker int64
}

func (s *tables) Discarded() int64 { return s.discarded.Load() }

// MySQL keeps worker ids in a MySQL or MariaDB database.
func MySQL(db *sql.DB) Store { return &tables{db: db, dialect: mysql} }

// Postgres keeps worker ids in a PostgreSQL database, in the first schema of the
// connection's search path.
func Postgres(db *sql.DB) Store { return &tables{db: db, dialect: postgres} }

// SQLite keeps worker ids in a SQLite database, for the processes that share its
// file on a local disk. SQLiteDSN says how to open it.
func SQLite(db *sql.DB) Store { return &tables{db: db, dialect: sqlite, file: &file{}} }

// Row is a row of the table WORKER_NODE: one start of a process.
type Row struct {
	ID int64 // the worker id
	store.Node
	Created time.Time // to the second; zero when the row has none
}

func (s *tables) Schema() string { return s.nodes + s.leases }

func (s *tables) CreateTable(ctx context.Context) error {
	if err := s.execAll(ctx, s.Schema()); err != nil {
		return s.explain("creating the tables", err, nothing)
	}
	_, err := s.Nodes(ctx, 1)
	return err
}

// Check reads the settings that the package's documentation lists.
func (s *tables) Check(ctx context.Context) (lossy bool, err error) { return s.settings(ctx, true) }

func (s *tables) Kept(ctx context.Context) error {
	_, err := s.settings(ctx, false)
	// No key is used up where the right is missing to look for it, or where a pool has it.
	apart := s.explain("looking for worker ids of Leased", s.apart(ctx, -1, math.MaxInt64), nothing)
	if err == nil || errors.Is(apart, worker.ErrDenied) || errors.Is(apart, worker.ErrOverlap) {
		return apart
	}
	return err
}

func (s *tables) settings(ctx context.Context, leases bool) (lossy bool, err error) {
	lossy, err = connected(ctx, s, reading, func(ctx context.Context, c conn) (bool, error) {
		if err := s.stranger(ctx, c); err != nil {
			return false, err
		}
		return s.check(ctx, c, leases)
	})
	return lossy, s.explain("checking the settings", err, nothing)
}

func (s *tables) Register(ctx context.Context, n store.Node, maxID int64) (int64, error) {
	// The date is sent as text: drivers disagree about the time zone of a Time.
	date := n.LaunchDate.Format(time.DateOnly)
	id, err := connected(ctx, s, writing, func(ctx context.Context, c conn) (int64, error) {
		keys, unknown := s.keys(ctx, c) // an error leaves it to the INSERT
		if keys.last >= maxID {
			return keys.last + 1, nil
		}
		if err := c.sure(ctx, s.insert); err != nil {
			return 0, err
		}
		key, err := s.add(ctx, c, s.insert, n.HostName, n.Port, n.Type, date)
		if s.fault(err) == taken && unknown == nil && keys.last < keys.highest {
			err = unfit("a row has the next key, and one has %d, so rows were loaded, but the counter was "+
				"not set: type "+keys.set+": %w", keys.highest, keys.highest+1, err)
		}
		return key, err
	})
	if err == nil && id < 1 {
		err = unfit("the new row's key is %d, so the column ID does not count up by itself, or a "+
			"trigger or rule keeps rows out: compare the table with Store.Schema", id)
	}
	if err == nil {
		err = s.apart(ctx, id, maxID)
	}
	if err != nil {
		return 0, s.explain("registering", err, aRow)
	}
	return id, nil
}

// apart refuses a key that is a pool's worker id; -1 is the next, if that can be read. It runs
// again after the row was added: if a pool's row is not seen then, each view that shows it also
// shows the key, so the row is never opened.
func (s *tables) apart(ctx context.Context, key, maxID int64) error {
	type found struct {
		there     bool
		key, last int64
		counter   keys
	}
	is, err := connected(ctx, s, reading, func(ctx context.Context, c conn) (is found, err error) {
		is.key = key
		is.counter, err = s.keys(ctx, c)
		// Before the first key SQLite has no counter that the advice could set.
		if key < 0 && err == nil && is.counter.last > 0 {
			is.key = is.counter.last + 1
		}
		err = c.QueryRowContext(ctx, `SELECT COUNT(CASE WHEN worker_id = ? THEN 1 END) > 0,
    COALESCE(MIN(CASE WHEN worker_id >= ? AND NOT EXISTS (SELECT 1 FROM uid_lease n
        WHERE n.worker_id = w.worker_id + 1) THEN worker_id END), 0)
FROM uid_lease w HAVING {sound}`, is.key, is.key).Scan(&is.there, &is.last)
		return is, err
	})
	switch {
	case s.fault(err) == noTable, err == nil && !is.there:
		return nil
	case err != nil:
		return err
	}
	or := "have the keys continue above its worker ids: " + fmt.Sprintf(is.counter.set, is.last+1)
	switch {
	case maxID == math.MaxInt64: // not known
		or = fmt.Sprintf("if the layout has worker ids above %d, ", is.last) + or
	case is.last >= maxID:
		or = "another database for ids that never meet: the layout has no worker id above those"
	}
	return fmt.Errorf("%w: worker.Leased recycles worker id %d, which is a new row's key: use "+
		"Leased for all processes, or %s", worker.ErrOverlap, is.key, or)
}

func (s *tables) Nodes(ctx context.Context, limit int) (all []Row, err error) {
	most := int64(limit)
	if limit <= 0 {
		most = math.MaxInt64
	}
	all, err = connected(ctx, s, reading, func(ctx context.Context, c conn) (all []Row, err error) {
		err = each(ctx, c, s.list, []any{most}, func(is answers) error {
			r, err := scan(is)
			all = append(all, r)
			return err
		})
		return all, err
	})
	return all, s.explain("listing", err, nothing)
}

// scan reads a row of the list statement, which returns times as seconds and dates as text, so
// that no driver interprets them.
func scan(is answers) (r Row, err error) {
	var date sql.NullString
	var created sql.NullInt64
	err = is.Scan(&r.ID, &r.HostName, &r.Port, &r.Type, &date, &created)
	r.LaunchDate, _ = time.Parse(time.DateOnly, date.String) // zero for 0000-00-00
	if created.Int64 != 0 {                                  // NULL, or 0000-00-00
		r.Created = time.Unix(created.Int64, 0).UTC()
	}
	return r, err
}
