package main

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

// The statements for each product, by name.
var (
	//go:embed postgres.sql
	postgresText string
	//go:embed innodb.sql
	innoDBText string
)

// rowSizes are the bytes that a row takes in the leaf pages of an index, besides its key.
type rowSizes struct{ primary, foreign float64 }

var (
	// An entry has 8 bytes of header and 4 in the page's list of entries.
	postgresRow = rowSizes{12, 12}
	// A row has 5 bytes of header and about a third of a slot in the page's directory. The index
	// of the primary key holds the whole row and 13 bytes about its transaction; the other index
	// holds the primary key of its table.
	innoDBRow = rowSizes{5.35 + 13 + 8 + float64(len(filler)), 5.35 + 8}
)

// A database is a database that is measured. After an error its methods do nothing.
type database struct {
	*sql.DB
	ctx     context.Context
	err     error // the first one
	version string
	sql     map[string]string
	row     rowSizes
	leases  sqlstore.Store
}

// connect connects to a server and creates the schema.
func connect(ctx context.Context, dsn string) *database {
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		c, err := pgx.ParseConfig(dsn)
		if err != nil {
			return &database{err: err}
		}
		c.RuntimeParams["search_path"] = "uid_keys" // alone, so that no other tables are found
		c.RuntimeParams["enable_seqscan"] = "off"   // tables are small here, but large in practice
		db := stdlib.OpenDB(*c)
		d := &database{DB: db, ctx: ctx, row: postgresRow, leases: sqlstore.Postgres(db)}
		return d.begin(postgresText)
	}
	c, err := mysql.ParseDSN(dsn)
	if err != nil {
		return &database{err: err}
	}
	c.DBName, c.MultiStatements, c.InterpolateParams = "", true, true
	db, err := sql.Open("mysql", c.FormatDSN())
	d := (&database{DB: db, ctx: ctx, err: err}).begin(innoDBText)
	if d.err != nil {
		return d
	}
	defer db.Close()
	c.DBName = "uid_keys"
	db, err = sql.Open("mysql", c.FormatDSN())
	d = &database{DB: db, ctx: ctx, err: err, row: innoDBRow, leases: sqlstore.MySQL(db)}
	return d.begin(innoDBText)
}

func (d *database) begin(text string) *database {
	d.sql = map[string]string{}
	for section := range strings.SplitSeq("\n"+text, "\n-- ") {
		name, statements, _ := strings.Cut(section, "\n")
		d.sql[name] = strings.TrimSpace(statements)
	}
	d.do(d.sql["schema"])
	d.version = strings.Join(d.read(d.sql["version"]), "")
	return d
}

// with fills in the placeholders of a statement.
func with(statement string, names ...string) string {
	return strings.NewReplacer(names...).Replace(statement)
}

// failed keeps err if it is the first error, and reports whether there has been one.
func (d *database) failed(err error) bool {
	if d.err == nil {
		d.err = err
	}
	return d.err != nil
}

func (d *database) do(statements string) {
	for s := range strings.SplitSeq(statements, ";\n") {
		if d.err == nil {
			_, err := d.ExecContext(d.ctx, s)
			d.failed(err)
		}
	}
}

// read returns the last column of each row.
func (d *database) read(query string) (texts []string) {
	if d.err != nil {
		return nil
	}
	rows, err := d.QueryContext(d.ctx, query)
	if d.failed(err) {
		return nil
	}
	defer rows.Close()
	columns, err := rows.Columns()
	d.failed(err)
	var text string
	into := make([]any, len(columns))
	for i := range into {
		into[i] = new(any)
	}
	into[len(into)-1] = &text
	for rows.Next() {
		d.failed(rows.Scan(into...))
		texts = append(texts, text)
	}
	d.failed(rows.Err())
	return texts
}

// number returns the first number that a query reads.
func (d *database) number(query string) float64 { return append(d.numbers(query), 0)[0] }

// numbers returns the numbers that a query reads, at least one.
func (d *database) numbers(query string) (numbers []float64) {
	for _, text := range d.read(query) {
		number, err := strconv.ParseFloat(text, 64)
		d.failed(err)
		numbers = append(numbers, number)
	}
	if len(numbers) == 0 {
		d.failed(fmt.Errorf("no answer to %s", query))
	}
	return numbers
}

// try reads what not every server reports, or not to every user.
func (d *database) try(query string) (numbers []float64, ok bool) {
	if d.err != nil || query == "" {
		return nil, false
	}
	numbers = d.numbers(query)
	ok = d.err == nil
	d.err = nil
	return numbers, ok
}

// An extent is the size of an index's leaf pages, which make up most of an index.
type extent struct {
	BytesPerRow float64
	Density     float64 // 0 to 1
}

// index measures an index that has this many rows of this size.
func (d *database) index(name string, rows, size float64) extent {
	if got, ok := d.try(with(d.sql["index"], "{index}", d.sql[name])); ok {
		return extent{got[0] / rows, got[1] / 100}
	}
	bytes := d.number(with(d.sql["bytes"], "{index}", d.sql[name]))
	return extent{bytes / rows, rows * size / max(bytes, 1)}
}

var buffers = regexp.MustCompile(`shared hit=(\d+)(?: read=(\d+))?|shared read=(\d+)`)

// blocks counts the blocks that a query reads.
func (d *database) blocks(query string) float64 {
	if explain := d.sql["explain"]; explain != "" {
		plan := strings.Join(d.read(explain+" "+query), "\n")
		n := 0.0
		for _, digits := range append(buffers.FindStringSubmatch(plan), "")[1:] { // of the whole plan
			count, _ := strconv.ParseFloat(digits, 64) // 0 for an empty group
			n += count
		}
		return n
	}
	least := math.Inf(1) // of several tries: the server also reads blocks for itself
	for range 3 {
		before := d.number(d.sql["reads"])
		d.read(query)
		least = min(least, d.number(d.sql["reads"])-before)
	}
	return least
}

// vacuum frees the space that deleted rows took. InnoDB does that by itself: there vacuum waits
// until nothing is left, or nothing was freed for two seconds.
func (d *database) vacuum() {
	if statement := d.sql["vacuum"]; statement != "" {
		d.do(statement)
		return
	}
	least, since := math.Inf(1), time.Now()
	for d.err == nil && least > 0 && time.Since(since) < 2*time.Second {
		if left := d.number(d.sql["left"]); left < least {
			least, since = left, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
}
