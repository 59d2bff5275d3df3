package demo

import (
	"cmp"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

// Database names a database, as sql.Open wants it.
type Database struct {
	Driver string // sqlite, mysql or pgx, which is PostgreSQL's
	DSN    string
}

// ParseDatabase adds -driver and -dsn to f and reads the flags. The drivers are
// those that the example can use, the default first. SQLite needs no -dsn: it
// gets a file in the temporary folder, so that the example runs with Go alone.
func ParseDatabase(f *flag.FlagSet, args []string, drivers ...string) (Database, error) {
	var d Database
	known := strings.Join(drivers, " or ")
	f.StringVar(&d.Driver, "driver", drivers[0], "`driver` of the database: "+known)
	f.StringVar(&d.DSN, "dsn", "", "`address` of the database, such as "+sample(drivers[len(drivers)-1]))
	if err := Parse(f, args); err != nil {
		return Database{}, err
	}
	if !slices.Contains(drivers, d.Driver) {
		return Database{}, fmt.Errorf("%s: %w: -driver is %q: it may be %s", f.Name(), ErrUsage, d.Driver, known)
	}
	if d.Driver == "sqlite" {
		d.DSN = cmp.Or(d.DSN, sqlstore.SQLiteDSN(filepath.Join(os.TempDir(), "ringuid-"+f.Name()+".db")))
	}
	if d.DSN == "" {
		return Database{}, fmt.Errorf("%s: %w: say which database: -driver %s -dsn '%s'",
			f.Name(), ErrUsage, d.Driver, sample(d.Driver))
	}
	return d, nil
}

// sample is what a DSN looks like.
func sample(driver string) string {
	switch driver {
	case "mysql":
		return "user:password@tcp(127.0.0.1:3306)/shop"
	case "pgx":
		return "postgres://user:password@127.0.0.1:5432/shop"
	default:
		return "file:shop.db"
	}
}

// Store keeps worker ids in db, which was opened with d's driver.
func (d Database) Store(db *sql.DB) *sqlstore.Store {
	switch d.Driver {
	case "mysql":
		return sqlstore.MySQL(db)
	case "pgx":
		return sqlstore.Postgres(db)
	default:
		return sqlstore.SQLite(db)
	}
}
