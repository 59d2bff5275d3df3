// Package storeurl opens the store of worker ids that a URL names: a SQL database, or what is
// registered. A URL can say what a program says with the store's Options and with those of its
// client. What it leaves out is as in a program that leaves it out: commands look where a
// service with zero Options does.
package storeurl

import (
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// forms are the URLs that there are.
var forms = []string{"sqlite:PATH"}

// Forms lists the URLs that there are.
func Forms() string { return strings.Join(forms, ", ") }

// Store is the store that a URL names.
type Store struct {
	Name   string         // the URL without secrets
	Place  string         // where in it recycled worker ids are kept
	Differ string         // what the URL of another place differs in
	Table  sqlstore.Store // WORKER_NODE; nil where there is none
	Leases store.Store    // recycled worker ids; nil for static:N
	Static int64          // the N of static:N
	Close  func() error
}

// A Kind is a kind of store that a URL can name.
type Kind struct {
	Form     string // of its URLs
	Opaque   bool   // there is no host in it
	Database bool   // the path names one
	Open     func(*Location, *Store) error
}

var kinds = map[string]Kind{}

// Register adds a kind of store by the schemes of its URLs.
func Register(k Kind, schemes ...string) {
	forms = append(forms, k.Form)
	for _, scheme := range schemes {
		kinds[scheme] = k
	}
}

func init() {
	Register(Kind{Form: "mysql://USER:PASS@HOST:PORT/DB", Database: true, Open: openMySQL},
		"mysql", "mariadb")
	Register(Kind{Form: "postgres://USER:PASS@HOST:PORT/DB", Database: true, Open: openPostgres},
		"postgres", "postgresql")
}

// Open opens the store that a URL names. The password is for a URL that has none. Errors about
// the URL are an Error, and show of it only what is no secret.
func Open(raw, password string) (*Store, error) {
	Hide(raw)
	hide(password)
	scheme, rest, ok := strings.Cut(raw, ":")
	switch {
	case !ok:
		return nil, Errorf("--store: that is not a URL: type %s", Forms())
	case scheme == "static":
		n, err := strconv.ParseInt(rest, 10, 64)
		if err != nil || n < 0 {
			return nil, Errorf("--store static:%s: type the worker id as a number, such as static:7", rest)
		}
		return &Store{Name: raw, Static: n, Close: func() error { return nil }}, nil
	case scheme == "sqlite":
		return openSQLite(strings.TrimPrefix(rest, "//"))
	}
	kind, ok := kinds[scheme]
	if !ok {
		return nil, Errorf("--store: %q is no kind of store: type %s", scheme, Forms())
	}
	l, ok := parse(raw, password, kind.Opaque)
	if !ok || kind.Database && strings.Trim(l.Path, "/") == "" {
		return nil, Errorf("--store %s: type %s, with %%40 for an @ in a password, %%2F for a /, "+
			"%%3F for a ?, %%23 for a # and %%25 for a %%", scheme, kind.Form)
	}
	s := &Store{Name: l.Name()}
	err := kind.Open(l, s)
	return s, err
}
