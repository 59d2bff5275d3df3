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

// The statements of each product, under their names.
var (
	//go:embed postgres.sql
	postgresText string
	//go:embed innodb.sql
	innoDBText string
)

// rowSizes are the bytes that a row takes in the leaf pages of an index, beside its key.
type rowSizes struct{ primary, foreign float64 }

var (
	// An entry has 8 bytes of header and 4 in the page's list of entries.
	postgresRow = rowSizes{12, 12}
	// A row has 5 bytes of header and about a third of a slot in the page's directory. The
	// primary key has the whole row and 13 bytes of its transaction, the other index the
	// primary key of its table.
	innoDBRow = rowSizes{5.35 + 13 + 8 + float64(len(filler)), 5.35 + 8}
)

// A database is one that is measured.
type database struct {
	*sql.DB
	version string
	sql     map[string]string
	row     rowSizes
	leases  *sqlstore.Store
}

// connect connects to a server and makes the schema.
func connect(ctx context.Context, dsn string) (*database, error) {
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		c, err := pgx.ParseConfig(dsn)
		if err != nil {
			return nil, err
		}
		c.RuntimeParams["search_path"] = "uid_keys,public"
		c.RuntimeParams["enable_seqscan"] = "off" // tables are small here, and large elsewhere
		db := stdlib.OpenDB(*c)
		return (&database{DB: db, row: postgresRow, leases: sqlstore.Postgres(db)}).
			begin(ctx, postgresText)
	}
	c, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	c.DBName, c.MultiStatements, c.InterpolateParams = "", true, true
	c.Params = map[string]string{"autocommit": "1"}
	db, err := sql.Open("mysql", c.FormatDSN())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := (&database{DB: db}).begin(ctx, innoDBText); err != nil {
		return nil, err
	}
	c.DBName = "uid_keys"
	if db, err = sql.Open("mysql", c.FormatDSN()); err != nil {
		return nil, err
	}
	return (&database{DB: db, row: innoDBRow, leases: sqlstore.MySQL(db)}).begin(ctx, innoDBText)
}

func (d *database) begin(ctx context.Context, text string) (*database, error) {
	d.sql = map[string]string{}
	for section := range strings.SplitSeq("\n"+text, "\n-- ") {
		name, statements, _ := strings.Cut(section, "\n")
		d.sql[name] = strings.TrimSpace(statements)
	}
	if err := d.do(ctx, d.sql["schema"]); err != nil {
		return nil, err
	}
	version, err := d.read(ctx, d.sql["version"])
	d.version = strings.Join(version, "")
	return d, err
}

// with fills in what a statement leaves open.
func with(statement string, names ...string) string {
	return strings.NewReplacer(names...).Replace(statement)
}

// do executes statements one by one.
func (d *database) do(ctx context.Context, statements string) error {
	for s := range strings.SplitSeq(statements, ";\n") {
		if _, err := d.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// read returns the last column of each row.
func (d *database) read(ctx context.Context, query string) (texts []string, err error) {
	rows, err := d.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var text string
	into := make([]any, len(columns))
	for i := range into {
		into[i] = new(any)
	}
	into[len(into)-1] = &text
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// numbers reads them; none is an error.
func (d *database) numbers(ctx context.Context, query string) (numbers []float64, err error) {
	texts, err := d.read(ctx, query)
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s: no answer", query)
	}
	for _, text := range texts {
		number, wrong := strconv.ParseFloat(text, 64)
		if wrong != nil {
			err = wrong
		}
		numbers = append(numbers, number)
	}
	return numbers, err
}

// number reads one.
func (d *database) number(ctx context.Context, query string) (float64, error) {
	numbers, err := d.numbers(ctx, query)
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}

// An extent is the size of an index's leaf pages, of which most indexes consist.
type extent struct {
	BytesPerRow float64 `json:"bytes_per_row"`
	Density     float64 `json:"density"` // 0 to 1
}

// index measures one that has these many rows of a size.
func (d *database) index(ctx context.Context, name string, rows, size float64) (e extent,
	err error) {
	if query := d.sql["index"]; query != "" {
		got, err := d.numbers(ctx, with(query, "{index}", d.sql[name]))
		if err == nil {
			return extent{got[0] / rows, got[1] / 100}, nil
		} // the server lacks what tells it
	}
	bytes, err := d.number(ctx, with(d.sql["bytes"], "{index}", d.sql[name]))
	return extent{bytes / rows, rows * size / bytes}, err
}

var buffers = regexp.MustCompile(`shared hit=(\d+)|read=(\d+)`)

// blocks counts those that a query reads.
func (d *database) blocks(ctx context.Context, query string) (float64, error) {
	if explain := d.sql["explain"]; explain != "" {
		plan, err := d.read(ctx, explain+" "+query)
		for _, line := range plan {
			n := 0.0
			for _, m := range buffers.FindAllStringSubmatch(line, -1) {
				count, _ := strconv.ParseFloat(m[1]+m[2], 64) // digits
				n += count
			}
			if n > 0 { // that of the whole plan is the first
				return n, nil
			}
		}
		return 0, err
	}
	least := math.Inf(1) // of some tries: the server reads blocks for itself, too
	for range 3 {
		before, err := d.number(ctx, d.sql["reads"])
		if err == nil {
			_, err = d.read(ctx, query)
		}
		if err != nil {
			return 0, err
		}
		after, err := d.number(ctx, d.sql["reads"])
		if err != nil {
			return 0, err
		}
		least = min(least, after-before)
	}
	return least, nil
}

// vacuum frees what deleted rows took. InnoDB does that by itself: vacuum waits until nothing
// is left, or for two seconds nothing was freed.
func (d *database) vacuum(ctx context.Context) error {
	if statement := d.sql["vacuum"]; statement != "" {
		return d.do(ctx, statement)
	}
	least, since := math.Inf(1), time.Now()
	for least > 0 && time.Since(since) < 2*time.Second {
		left, err := d.number(ctx, d.sql["left"])
		if err != nil {
			return err
		}
		if left < least {
			least, since = left, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}
