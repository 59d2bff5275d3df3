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

// each reads the rows of a query, to their end: an error may come last.
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
	if err := rows.Err(); err != nil {
		return err
	}
	return rows.Close()
}

// conn is a handle and, as an expression, the incarnation of the database behind it.
type conn struct {
	handle
	server string
}

// A server has its writers wait in line, and what was sent to it is done whether or not its
// client waits for the answer.
//
// Neither is so with a SQLite file: a lock goes to whoever asks first after it was let
// go, and the work is done here, so that to cut it short is to throw it away. On a busy
// machine a commit takes longer than a short deadline allows; if each attempt were cut
// then, none would ever be done, and transactions that are then discarded would lock the file.
// So a context bounds the waiting for others, and never the work:
//
//   - A writer waits for the write lock at random intervals that do not grow, so that
//     all who wait have the same chance at each commit of another. Who has just written
//     waits as long as they do. In one process the writers stand in line.
//   - With the lock nothing stops it but readers, of whom no new ones come then.
//   - Who has not got the lock when ctx ends has written nothing, for certain.

// errNoDB is what a store without a database answers. Its constructor returns no error.
var errNoDB = errors.New("the *sql.DB that the store was made with is nil: " +
	"pass what sql.Open returns")

// reading sends statements that change nothing.
func (s *tables) reading(ctx context.Context, do func(context.Context, conn) error) error {
	switch {
	case s.db == nil:
		return errNoDB
	case s.file == nil:
		err := do(ctx, conn{s.db, s.server})
		if err == nil {
			// An answer after the context ended proves nothing. Some drivers have the server cancel what
			// it is doing, and PostgreSQL, when it stops waiting for its standby, answers that it is done.
			err = ctx.Err()
		}
		return err
	}
	return s.patiently(ctx, func() error {
		return s.connected(ctx, func(work context.Context, c *sql.Conn, server string) error {
			return do(work, conn{c, server})
		})
	})
}

// writing sends statements that change something; on a file they are a transaction.
func (s *tables) writing(ctx context.Context, do func(context.Context, conn) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	if s.db == nil || s.file == nil {
		return s.reading(ctx, do)
	}
	if err := s.file.queue(ctx); err != nil {
		return fmt.Errorf("%w: the file is locked by another writer of this process", err)
	}
	defer s.file.leave()
	return s.patiently(ctx, func() error {
		begun := false
		err := s.connected(ctx, func(work context.Context, c *sql.Conn, _ string) error {
			begun = true
			return s.transact(ctx, work, c, func() error {
				// Again, since the file may have been replaced while its lock was waited for.
				// connected has asked before, or BEGIN would make a file where one is gone.
				server, err := s.file.incarnation(work, c)
				if err != nil {
					return err
				}
				return do(work, conn{c, server})
			})
		})
		if err != nil && !begun && ctx.Err() != nil {
			return fmt.Errorf("%w: %w", errNotBegun, err)
		}
		return err
	})
}

// errNotBegun: the context of a write ended before it began.
var errNotBegun = errors.New("nothing was written, since no transaction began")

// execAll executes statements, each ended by a semicolon and a new line, that may
// be executed again.
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

// connected does work on one connection to the file, which ctx does not end.
func (s *tables) connected(ctx context.Context,
	do func(work context.Context, c *sql.Conn, server string) error) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	work := context.WithoutCancel(ctx)
	server, err := s.file.incarnation(work, c)
	if err != nil {
		return err
	}
	return do(work, c, server)
}

// transact takes the write lock, or finds the file locked at once.
func (s *tables) transact(ctx, work context.Context, c *sql.Conn, do func() error) error {
	if _, err := c.ExecContext(work, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do()
	if err == nil {
		err = s.commit(ctx, work, c)
	}
	if err == nil {
		return nil
	}
	if _, failed := c.ExecContext(work, "ROLLBACK"); failed != nil {
		// Nobody else may get a connection that a transaction may be open on.
		_ = c.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}

// commit waits for those who read just now, at least for leastReaders: without its
// work they would be let in again, and more of them.
func (s *tables) commit(ctx, work context.Context, c *sql.Conn) error {
	const leastReaders = time.Second
	for begin := time.Now(); ; {
		_, err := c.ExecContext(work, "COMMIT")
		if err == nil || s.fault(err) != locked {
			return err
		}
		if waited := time.Since(begin); waited > patience || waited > leastReaders && ctx.Err() != nil {
			return err
		}
		_ = pause(work) // which does not end
	}
}

// How long somebody waits for a file that others have locked.
const (
	patience     = 10 * time.Second
	longestPause = 5 * time.Millisecond // between two attempts
)

// patiently repeats f while it finds the file locked by another process, for ten
// seconds or until ctx ends. SQLite could wait by itself (busy_timeout), but asks less
// and less often there, and would not notice that ctx has ended. Being locked out is a
// definite answer: nothing was written.
func (f faults) patiently(ctx context.Context, do func() error) error {
	for begin := time.Now(); ; {
		err := do()
		if err == nil || f.fault(err) != locked || time.Since(begin) > patience {
			return err
		}
		if ended := pause(ctx); ended != nil {
			return fmt.Errorf("%w: %w", ended, err)
		}
	}
}

// pause waits a random while, or until ctx ends.
func pause(ctx context.Context) error {
	t := time.NewTimer(rand.N(longestPause))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
