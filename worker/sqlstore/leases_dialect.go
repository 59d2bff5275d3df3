package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ringuid/ringuid/worker/store"
)

// leaseDialect is how one database keeps leases. The statements take the same
// arguments in the same order.
type leaseDialect struct {
	name       string
	schema     string
	arg        func(i int) string // the placeholder of the i-th argument, from 1
	view       string
	write      string
	raise      string
	quarantine string   // raises the floor of a namespace
	found      string   // adds a namespace
	now        string   // the clock
	forUpdate  string   // locks what is read, in a transaction
	taken      []string // somebody else has added that namespace
	undone     []string // the statement was rolled back, for certain
	check      func(ctx context.Context, l *Leases) (store.Class, error)
	ready      func(ctx context.Context, l *Leases) error           // before tables are made
	watch      func(ctx context.Context, h handle, l *Leases) error // before each statement
	// what only grows, and the floor and the unit of a namespace; empty where the server's incarnation
	// tells
	count string
}

func readyAlways(context.Context, *Leases) error { return nil }

func watchNothing(context.Context, handle, *Leases) error { return nil }

// bind puts this database's placeholders for the question marks of a statement.
func (d leaseDialect) bind(statement string) string {
	parts := strings.Split(statement, "?")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		b.WriteString(d.arg(i + 1))
		b.WriteString(part)
	}
	return b.String()
}

// saysAll: the error is not the database's, and says what to do.
func saysAll(err error) bool {
	for _, sentinel := range []error{errNoDB, errNotBegun, store.ErrStore, store.ErrRolledBack,
		store.ErrNoNamespace, store.ErrNamespace, store.ErrClaim, store.ErrOverlap, store.ErrHeld,
		store.ErrUnknownPast} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	return false
}

// Check reads the settings of the server that decide the class of a lease. The package's
// documentation lists them, and what no setting shows.
func (l *Leases) Check(ctx context.Context) (store.Class, error) {
	class, err := l.check(ctx, l)
	if err != nil {
		return 0, l.wrap("checking the settings", err)
	}
	return class, nil
}

// wrap adds to an error what it means and what to do. Drivers keep passwords out
// of their errors, and nothing is added here that could have one.
func (l *Leases) wrap(doing string, err error) error {
	head := fmt.Sprintf("sqlstore: %s in %s", doing, l.name)
	err = plain(err)
	switch {
	case saysAll(err):
		return fmt.Errorf("%s: %w", head, err)
	case l.bears(err, l.nowhere):
		return fmt.Errorf("%s: %w: %w; %s", head, store.ErrNoNamespace, err, noDatabase)
	case l.bears(err, l.noTable):
		return fmt.Errorf("%s: %w: no tables uid_ns, uid_worker and uid_space: %w; make them with "+
			"`uidbench worker init --assigner leased` or worker.MakeNamespace, or restore the old ones "+
			"from a backup", head, store.ErrNoNamespace, err)
	case l.bears(err, l.shape):
		return fmt.Errorf("%s: %w: uid_ns, uid_worker or uid_space has other columns: %w; compare "+
			"them with Leases.Schema", head, store.ErrStore, err)
	case l.bears(err, l.denied):
		return fmt.Errorf("%s: %w: %w; %s", head, ErrDenied, err, l.leased)
	case l.bears(err, l.locked):
		return fmt.Errorf("%s: %w; others had the file locked all that time, and nothing was written",
			head, err)
	case l.refusal(err) != "":
		return fmt.Errorf("%s: %w; %s", head, err, l.refusal(err))
	}
	return fmt.Errorf("%s: %w; the outcome is not known until the row is read again", head, err)
}
