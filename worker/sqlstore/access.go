package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
)

// A server queues its writers, and does what was sent to it whether or not its client waits. The
// lock of a SQLite file goes to the process that asks first after it was released, and work that is
// cut short is thrown away: on a busy machine, none would ever complete. So a context bounds the
// time spent waiting for others, and never the work:
//
//   - A writer asks for the write lock after random pauses that do not grow, the first one
//     before it asks at all. So all waiting writers have the same chance at each commit of
//     another, and one that has just written has no better chance.
//   - With the lock, only readers can hold a writer up, and no new readers come then.
//   - A writer that has not got the lock when ctx ends has certainly written nothing.

// errNoDB is the error of a store without a database. Its constructor returns no error.
var errNoDB = fmt.Errorf("%w: the *sql.DB that the store was made with is nil: pass what sql.Open "+
	"returns", worker.ErrClaim)

// errNotSent says that a call's context ended before it had a connection.
var errNotSent = errors.New("nothing was sent to the database")

// errBusy says that the application kept all connections of its pool meanwhile.
var errBusy = fmt.Errorf("no connection of the pool came free, and %w", errNotSent)

// errStuck says that the driver does not return although the call's context has ended.
var errStuck = errors.New("the driver still waits for the server (for lib/pq set connect_timeout)")

// errLeft is the error of a connection on which nothing that is written is sure to be committed,
// or to be committed in the right place.
var errLeft = errors.New("a connection of the pool has a state of its own, which the application " +
	"left, or older settings")

// errGlobal is that of a connection which is as each new one is.
var errGlobal = fmt.Errorf("the server gives each new connection what does not do%.0w", errLeft)

// What a file is told first, since it fails on a connection that is in a transaction. A reader
// ends its own at once.
const (
	reading = "BEGIN"
	writing = "BEGIN IMMEDIATE"
)

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

// mostEnded is how many sessions are ended in one call, where one that was left can be.
const mostEnded = 8

// connected is tables.connected for a do with a result. It returns a second after ctx has ended at
// the latest: until a server answers, lib/pq does not, and somebody waits for a start or a Close.
// Work in a file goes on to its end.
func connected[T any](ctx context.Context, s *tables, begin string,
	do func(context.Context, conn) (T, error)) (T, error) {
	var over atomic.Bool // it has returned, or nobody waits for it any more
	call := func() (value T, err error) {
		defer func() {
			if over.Swap(true) {
				s.stuck.Add(-1)
			}
		}()
		err = s.connected(ctx, begin, func(ctx context.Context, c conn) (err error) {
			value, err = do(ctx, c)
			return err
		})
		return value, err
	}
	if s.file != nil {
		return call()
	}
	late, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(time.Second, func() {
			if !over.Swap(true) {
				s.stuck.Add(1)
				end(fmt.Errorf("%w: %w", errStuck, ctx.Err()))
			}
		})
	})()
	return cancelable.Call(late, call)
}

// connected calls do with a connection that nobody else uses meanwhile, and whose session is
// sound. It closes others: one more than the pool had, so that the next one is new. If that is not
// sound, a pooler, or a pgxpool, hands the session out again: then it is ended, and others tried.
//
// On a file, ctx does not end the work, which is done again while others keep the file locked.
// SQLite could wait by itself (busy_timeout), but it would ask less and less often, and would not
// notice that ctx has ended.
func (s *tables) connected(ctx context.Context, begin string,
	do func(context.Context, conn) error) error {
	switch err := ctx.Err(); {
	case err != nil:
		return fmt.Errorf("%w: %w", errNotSent, err)
	case s.db == nil:
		return errNoDB
	case s.file != nil && begin == writing:
		pause()
	}
	most := 1
	if len(s.end) > 0 {
		most = mostEnded
	}
	return s.patiently(ctx, 0, func() error {
		for fresh := -s.db.Stats().OpenConnections - 1; ; fresh++ {
			raw, err := s.db.Conn(ctx)
			if is := s.db.Stats(); err != nil && ctx.Err() != nil {
				switch all := is.MaxOpenConnections; {
				case s.stuck.Load() > 0:
					return fmt.Errorf("%w: %w", errStuck, err)
				case all > 0 && is.InUse >= all:
					return fmt.Errorf("%w: %d of %d are in use, and %d calls had to wait for one since it was "+
						"opened: %w", errBusy, is.InUse, all, is.WaitCount, err)
				}
				return fmt.Errorf("%w: %w", errNotSent, err)
			} else if err != nil {
				return err
			}
			again, err := s.using(ctx, raw, begin, fresh, do)
			if again && fresh < most && ctx.Err() == nil {
				continue
			}
			if s.file == nil && (err == nil || errors.Is(err, driver.ErrBadConn)) {
				// An answer after the context ended proves nothing. Some drivers make the server cancel what
				// it is doing, and PostgreSQL, when it stops waiting for its standby, answers that it is done.
				err = cmp.Or(ctx.Err(), err)
			}
			return err
		}
	})
}

// using reports whether to do it again with another connection, since nothing was done with this
// one. fresh is how many new connections the call had before; if it is negative, this one may be of
// the pool. The first statement is a query, which also finds out whether a connection that was idle
// has ended. After an error that is no answer the connection is closed: its cause may be the
// session.
func (s *tables) using(ctx context.Context, raw *sql.Conn, begin string, fresh int,
	do func(context.Context, conn) error) (again bool, err error) {
	defer raw.Close()
	var is session
	soundly := func(ctx context.Context, c conn) (err error) {
		if is, err = s.examine(ctx, &c, fresh > 0); err != nil {
			again = true
			return err
		}
		return do(ctx, c)
	}
	switch c := (conn{raw, s.dialect, s.server, nil}); {
	case s.file == nil:
		err = soundly(ctx, c)
	case begin == reading: // each lock of a reader holds writers up
		err = s.transact(ctx, c, begin, do)
	default:
		err = s.transact(ctx, c, begin, soundly)
	}
	switch fault := s.fault(err); {
	case err == nil && is != (session{}):
		s.known.Store(&is)
		return false, nil
	case fault == left:
		again = true
		if !errors.Is(err, errLeft) {
			err = fmt.Errorf("%w: %w", errLeft, err)
		}
		do := ": " + endIt
		if errors.Is(err, errGlobal) {
			do = ""
		}
		if s.discarded.Add(1) == 1 {
			asynclog.From(ctx).Warn("closed a connection to the database, and tries another; "+
				"others will be counted"+do, "reason", err)
		}
		for _, statement := range s.end {
			if fresh >= 0 {
				_, _ = raw.ExecContext(ctx, statement)
			}
		}
	case err == nil, fault == locked, fault == noTable, fault == taken, fault == undone,
		errors.Is(err, worker.ErrStore): // a file that is gone must not be made again
		return false, err
	}
	_ = raw.Raw(func(any) error { return driver.ErrBadConn })
	return again, err
}

// session is the place of the tables of a session, which must not change, and its settings, which
// connections have in common.
type session struct{ place, settings string }

// examine returns an error that wraps errLeft if the session is not sound, or not as the last that
// was used. If last is set, it accepts other settings: a new connection has them.
func (s *tables) examine(ctx context.Context, c *conn, last bool) (is session, err error) {
	var wrong sql.NullString
	var since, again, moved int64
	err = c.QueryRowContext(ctx, s.session).Scan(&wrong, &since, &is.place, &is.settings)
	if err == nil && since != 0 && s.clock != "" {
		err = c.QueryRowContext(ctx, s.clock).Scan(&again)
	}
	if err == nil && s.known.Load() == nil && s.moved != "" {
		err = c.QueryRowContext(ctx, s.moved).Scan(new(string), &moved)
	}
	if err == nil {
		err = c.ready(ctx, "uid_lease", "uid_lease_head")
	}
	was := cmp.Or(s.known.Load(), &is)
	switch {
	case err != nil:
		return is, cmp.Or(s.stranger(ctx, *c), err)
	case wrong.String != "":
	case moved > 0:
		wrong.String = "USE was executed on it, so it does not tell which database the pool is for: " +
			"give worker ids connections of their own (sqlstore.Open)"
	case since != 0 && since == again:
		wrong.String = "its NOW() stands still"
	case is.place != was.place, is.settings != was.settings && !last:
		wrong.String = fmt.Sprintf("it has %s, %s, where others have %s, %s; that is also so after "+
			"somebody changed the server's configuration", is.place, is.settings, was.place, was.settings)
	default:
		if s.numbered {
			c.proof = []any{since, is.place}
		}
		return is, nil
	}
	if strings.Contains(wrong.String, "SET GLOBAL") {
		return is, fmt.Errorf("%w: %s, and leave it out of the server's configuration", errGlobal,
			wrong.String)
	}
	return is, fmt.Errorf("%w: %s", errLeft, wrong.String)
}

// ready makes sure that the next statement has a transaction of its own, and tables that no
// temporary ones hide, where session and {sound} do not.
func (c conn) ready(ctx context.Context, tables ...string) error {
	if c.d.alone == "" {
		return nil
	}
	for _, table := range tables {
		if _, err := mysqlMade(ctx, c, table); errors.Is(err, errLeft) {
			return err // another is that of the next statement, too
		}
	}
	_, err := c.ExecContext(ctx, c.d.alone)
	return err
}

// transact calls do, for writing in a transaction, or fails at once if the file is locked.
func (s *tables) transact(ctx context.Context, c conn, begin string,
	do func(context.Context, conn) error) error {
	work := context.WithoutCancel(ctx)
	// Before BEGIN, which would otherwise create a file that is gone.
	if _, err := s.file.incarnation(work, c.raw); err != nil {
		return err
	}
	folder, err := alone(s.file.path)
	if err == nil {
		defer folder.Close()
		_, err = c.raw.ExecContext(work, begin)
	}
	if err == nil && begin == reading {
		_, err = c.raw.ExecContext(work, "COMMIT")
	}
	if only := false; err != nil {
		if _ = c.raw.QueryRowContext(work, "PRAGMA query_only").Scan(&only); only {
			err = fmt.Errorf("%w: its query_only is on: %w", errLeft, err)
		}
		return err
	}
	// Again, since the file may have been replaced during the wait for its lock.
	c.server, err = s.file.incarnation(work, c.raw)
	if err == nil {
		err = s.file.parted()
	}
	if err == nil {
		err = sqliteHidden(work, c)
	}
	if err == nil {
		err = do(work, c)
	}
	if begin == reading {
		return err
	}
	if err == nil {
		// The commit waits for current readers, up to a second even if ctx has ended: if its work were
		// discarded, they would be let in again, and more of them.
		err = s.patiently(ctx, time.Second, func() error {
			_, err := c.raw.ExecContext(work, "COMMIT")
			return err
		})
	}
	if err == nil {
		return nil
	}
	if _, failed := c.raw.ExecContext(work, "ROLLBACK"); failed != nil {
		_ = c.raw.Raw(func(any) error { return driver.ErrBadConn })
	}
	return err
}

// patiently repeats do while others keep the file locked, for ten seconds or until ctx ends,
// though not before least. Being locked out is a definite answer: nothing was written.
func (f faults) patiently(ctx context.Context, least time.Duration, do func() error) error {
	const patience = 10 * time.Second
	for begin := time.Now(); ; {
		err := do()
		if f.fault(err) == locked {
			pause() // first: another attempt after ctx has ended would not say that it is locked
		}
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
