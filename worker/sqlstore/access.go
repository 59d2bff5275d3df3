package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// handle is what statements are sent through: a database, or one connection to it.
type handle interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// each reads the rows of a query to their end, since an error may come last.
func each(ctx context.Context, h handle, query string, args []any,
	read func(*sql.Rows) error) error {
	rows, err := h.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// conn is a handle and, as an expression, the incarnation of the database behind it.
type conn struct {
	handle
	server string
}

// A server queues its writers, and does what was sent to it whether or not its client waits for
// the answer.
//
// Neither is true of a SQLite file: a lock goes to the process that asks first after it was
// released, and the work is done in this process, so cutting it short throws it away. On a busy
// machine a commit takes longer than a short deadline allows. If each attempt were cut short
// then, none would ever complete, and transactions that are then discarded would lock the file.
// So a context bounds the time spent waiting for others, and never the work:
//
//   - A writer asks for the write lock after random pauses that do not grow, the first one
//     before it asks at all. So all waiting writers have the same chance at each commit of
//     another, and one that has just written has no better chance.
//   - With the lock, only readers can hold a writer up, and no new readers come then.
//   - A writer that has not got the lock when ctx ends has certainly written nothing.

// errNoDB is the error of a store without a database. Its constructor returns no error.
var errNoDB = errors.New("the *sql.DB that the store was made with is nil: " +
	"pass what sql.Open returns")

// errNotSent says that a call's context ended before it had a connection.
var errNotSent = errors.New("nothing was sent to the database")

// reading sends statements that change nothing.
func (s *tables) reading(ctx context.Context, do func(context.Context, conn) error) error {
	switch {
	case s.db == nil:
		return errNoDB
	case s.file != nil:
		return s.connected(ctx, func(work context.Context, c *sql.Conn, server string) error {
			return do(work, conn{c, server})
		})
	}
	if err := do(ctx, conn{s.db, s.server}); err != nil {
		return err
	}
	// An answer after the context ended proves nothing. Some drivers make the server cancel what
	// it is doing, and PostgreSQL, when it stops waiting for its standby, answers that it is done.
	return ctx.Err()
}

// writing sends statements that change something; on a file they are a transaction.
func (s *tables) writing(ctx context.Context, do func(context.Context, conn) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errNotSent, err)
	}
	if s.db == nil || s.file == nil {
		return s.reading(ctx, do)
	}
	pause()
	return s.connected(ctx, func(work context.Context, c *sql.Conn, _ string) error {
		return s.transact(ctx, work, c, do)
	})
}

// execAll executes statements that may be repeated, each ended by a semicolon and a newline.
func (s *tables) execAll(ctx context.Context, statements string) error {
	for statement := range strings.SplitSeq(strings.TrimSuffix(statements, ";\n"), ";\n") {
		_, err := s.surely(ctx, statement)
		if s.fault(err) == taken {
			_, err = s.surely(ctx, statement)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// connected does work on one connection to the file. ctx does not end the work, which is done
// again while others keep the file locked. SQLite could wait by itself (busy_timeout), but it
// would ask less and less often, and would not notice that ctx has ended.
func (s *tables) connected(ctx context.Context,
	do func(work context.Context, c *sql.Conn, server string) error) error {
	return s.patiently(ctx, 0, func() error {
		c, err := s.db.Conn(ctx)
		if err != nil {
			if ctx.Err() != nil {
				err = fmt.Errorf("%w: %w", errNotSent, err)
			}
			return err
		}
		defer c.Close()
		work := context.WithoutCancel(ctx)
		server, err := s.file.incarnation(work, c)
		if err != nil {
			return err
		}
		return do(work, c, server)
	})
}

// transact calls do in a transaction with the write lock, or fails at once if the file is locked.
func (s *tables) transact(ctx, work context.Context, c *sql.Conn,
	do func(context.Context, conn) error) error {
	if _, err := c.ExecContext(work, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	// This asks again, since the file may have been replaced during the wait for its lock.
	// connected has asked before BEGIN, which would otherwise create a file that is gone.
	server, err := s.file.incarnation(work, c)
	if err == nil {
		err = do(work, conn{c, server})
	}
	if err == nil {
		// The commit waits for current readers, up to a second even if ctx has ended: if its work were
		// discarded, they would be let in again, and more of them.
		err = s.patiently(ctx, time.Second, func() error {
			_, err := c.ExecContext(work, "COMMIT")
			return err
		})
	}
	if err == nil {
		return nil
	}
	if _, failed := c.ExecContext(work, "ROLLBACK"); failed != nil {
		// A connection on which a transaction may still be open must not be used again.
		_ = c.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}

// patiently repeats do while others keep the file locked, for ten seconds or until ctx ends,
// though not before least. Being locked out is a definite answer: nothing was written.
func (f faults) patiently(ctx context.Context, least time.Duration, do func() error) error {
	const patience = 10 * time.Second
	for begin := time.Now(); ; pause() {
		err := do()
		waited, ended := time.Since(begin), ctx.Err()
		switch {
		case f.fault(err) != locked, waited > patience, errors.Is(err, ended):
			return err
		case ended != nil && waited >= least:
			return fmt.Errorf("%w: %w", ended, err)
		}
	}
}

// pause waits for a random time between two attempts.
func pause() { time.Sleep(rand.N(5 * time.Millisecond)) }
