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

// handle is what statements are sent through: a database, one connection to it, or a
// transaction.
type handle interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// access is how the stores of one *sql.DB reach their database. A server has its
// writers wait in line, and what was sent to it is done whether or not its client
// waits for the answer.
//
// Neither is so with a SQLite file: a lock goes to whoever asks first after it was let
// go, and the work is done here, so that to cut it short is to throw it away. On a busy
// machine a commit takes longer than a short deadline allows; if each attempt were cut
// then, none would ever be done, and the file would be locked by what is thrown away.
// So a context bounds the waiting for others, and never the work:
//
//   - A writer waits for the write lock at random intervals that do not grow, so that
//     all who wait have the same chance at each commit of another. Who has just written
//     waits as long as they do. In one process the writers stand in line.
//   - With the lock nothing stops it but readers, of whom no new ones come then.
//   - Who has not got the lock when ctx ends has written nothing, for certain.
type access struct {
	db *sql.DB
	faults

	turn  chan struct{} // of a SQLite file: full while one writes; nil for a server
	wrote time.Time     // by whom had the last turn
}

// errNoDB is what a store without a database answers. Its constructor returns no error.
var errNoDB = errors.New("the *sql.DB that the store was made with is nil: " +
	"pass what sql.Open returns")

func toServer(db *sql.DB, f faults) *access { return &access{db: db, faults: f} }

func toFile(db *sql.DB, f faults) *access {
	return &access{db: db, faults: f, turn: make(chan struct{}, 1)}
}

// reading sends statements that change nothing.
func (a *access) reading(ctx context.Context, do func(context.Context, handle) error) error {
	if a.db == nil {
		return errNoDB
	}
	if a.turn == nil {
		return inTime(ctx, do(ctx, a.db))
	}
	return a.patiently(ctx, func() error {
		return a.connected(ctx, func(work context.Context, c *sql.Conn) error { return do(work, c) })
	})
}

// writing sends statements that change something; on a file they are a transaction.
func (a *access) writing(ctx context.Context, do func(context.Context, handle) error) error {
	if a.db == nil {
		return errNoDB
	}
	if a.turn == nil {
		return inTime(ctx, do(ctx, a.db))
	}
	if err := a.queue(ctx); err != nil {
		return fmt.Errorf("%w: the file is locked by another writer of this process", err)
	}
	defer func() {
		a.wrote = time.Now()
		<-a.turn
	}()
	return a.patiently(ctx, func() error {
		begun := false
		err := a.connected(ctx, func(work context.Context, c *sql.Conn) error {
			begun = true
			return a.transact(ctx, work, c, do)
		})
		if err != nil && !begun {
			return fmt.Errorf("%w: %w", errNotBegun, err)
		}
		return err
	})
}

// errNotBegun: a write got no connection to its file, as when its context has ended.
var errNotBegun = errors.New("nothing was written, since there was no connection")

// inTime is the error of what a server was asked to do, or that of a context that ended
// before the answer: it proves nothing then. Some drivers have the server cancel what it
// is doing, and PostgreSQL, when it stops waiting for its standby, answers that it is done.
func inTime(ctx context.Context, err error) error {
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// execAll executes statements, each ended by a semicolon and a new line, that may
// be executed again.
func (a *access) execAll(ctx context.Context, statements string) error {
	if a.db == nil {
		return errNoDB
	}
	for _, statement := range strings.SplitAfter(statements, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		exec := func() error {
			_, err := a.db.ExecContext(ctx, strings.TrimRight(statement, ";\n"))
			return err
		}
		err := a.patiently(ctx, exec)
		if err != nil && a.bears(err, a.exists) {
			err = exec()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// queue waits for a turn among the writers of this process.
func (a *access) queue(ctx context.Context) error {
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if time.Since(a.wrote) > longestPause {
		return nil
	}
	err := pause(ctx)
	if err != nil {
		<-a.turn
	}
	return err
}

// connected does work on one connection, which ctx does not end.
func (a *access) connected(ctx context.Context, do func(context.Context, *sql.Conn) error) error {
	c, err := a.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(context.WithoutCancel(ctx), c)
}

// transact takes the write lock, or finds the file locked at once.
func (a *access) transact(ctx, work context.Context, c *sql.Conn,
	do func(context.Context, handle) error) error {
	if _, err := c.ExecContext(work, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := do(work, c)
	if err == nil {
		err = a.commit(ctx, work, c)
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
func (a *access) commit(ctx, work context.Context, c *sql.Conn) error {
	const leastReaders = time.Second
	for begin := time.Now(); ; {
		_, err := c.ExecContext(work, "COMMIT")
		if err == nil || !a.bears(err, a.locked) {
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
		if err == nil || !f.bears(err, f.locked) || time.Since(begin) > patience {
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
