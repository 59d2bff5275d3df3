package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

// asker runs statements in one session, and returns the rows of the last one.
type asker func(t *testing.T, statements ...string) [][]string

// tongue is how the test speaks to a database: a part of a query has an id and a time; the query
// has the id's time as text, its worker id, and the smallest id of the time. EXPLAIN of the page's
// query shows plan, and not what not matches.
type tongue struct {
	section, zone, part, query, explain, plan, not string
}

var tongues = map[string]tongue{
	"postgres": {
		"PostgreSQL", "SET TimeZone = 'Asia/Kolkata'",
		"SELECT CAST(%d AS bigint) AS id, timestamptz '%sZ' AS t",
		`SELECT id, to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), %s, %s FROM (%s) AS x`,
		"EXPLAIN", `Index Scan (on|using) (orders|orders_18|events_2026_11|visits_\w+)_pkey`,
		"Seq Scan|events_(2026_12|default)",
	},
	"mysql": {
		"MySQL and MariaDB", "SET time_zone = '+05:30'",
		"SELECT %d AS id, '%s' AS t",
		"SELECT id, CAST(%s AS CHAR), %s, %s FROM (%s) AS x",
		"EXPLAIN FORMAT=TRADITIONAL", "p2026_11 range PRIMARY", "p2026_1[02]|later",
	},
	"sqlite": {
		"SQLite", "SELECT 1", "SELECT %d AS id, '%s' AS t",
		"SELECT id, %s, %s, %s FROM (%s)",
		"EXPLAIN QUERY PLAN", `PRIMARY KEY \(rowid>\? AND rowid<\?\)`, "SCAN",
	},
	"clickhouse": {
		"ClickHouse", "SET session_timezone = 'Asia/Kolkata'",
		"SELECT toInt64(%d) AS id, '%s' AS t",
		"SELECT id, toString(%s), %s, %s FROM (%s)",
		"EXPLAIN indexes = 1", "Parts: 1/3.*PrimaryKey", "Parts: 3/3",
	},
}

func TestSQLOnPostgreSQL(t *testing.T) {
	testSQL(t, "postgres", opened(t, "pgx", testserver.Postgres(t).DSN()))
}

func TestSQLOnMariaDB(t *testing.T) {
	ask := asSmallestUser(t, testserver.MariaDB(t, testserver.Args("--log-bin", "--server-id=1")))
	testSQL(t, "mysql", func(t *testing.T, statements ...string) [][]string {
		last := len(statements) - 1
		statements[last] = strings.Replace(statements[last], "FORMAT=TRADITIONAL", "PARTITIONS", 1)
		return ask(t, statements...)
	})
}

func TestSQLOnMySQL(t *testing.T) {
	testSQL(t, "mysql", asSmallestUser(t, testserver.MySQL(t)))
}

func TestSQLOnSQLite(t *testing.T) {
	testSQL(t, "sqlite", opened(t, "sqlite", filepath.Join(t.TempDir(), "db")))
}

func TestSQLOnClickHouse(t *testing.T) {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), "node", "-e", `const db = new (require('chdb').Session)()
		require('readline').createInterface(process.stdin).on('line', line => console.log(
			JSON.stringify(JSON.parse(line).map(s => db.query(s, 'TSVRaw').split('\n').slice(0, -1)
				.map(row => row.split('\t'))).pop())))`)
	c.Dir, c.Stderr = filepath.Join(cache, "ringuid-testserver", "chdb"), os.Stderr
	if _, err := os.Stat(c.Dir); err != nil {
		testserver.Missing(t, "chdb", "make test-clickhouse installs it with npm")
	}
	in, err := c.StdinPipe()
	require.NoError(t, err)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	answers := json.NewDecoder(out)
	testSQL(t, "clickhouse", func(t *testing.T, statements ...string) (rows [][]string) {
		require.NoError(t, json.NewEncoder(in).Encode(statements))
		require.NoError(t, answers.Decode(&rows), statements)
		return rows
	})
}

func opened(t *testing.T, driver, dsn string) asker {
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return func(t *testing.T, statements ...string) (all [][]string) {
		for _, s := range statements {
			rows, err := db.QueryContext(t.Context(), s)
			require.NoError(t, err, s)
			columns, _ := rows.Columns()
			for all = nil; rows.Next(); {
				row, cells := make([]string, len(columns)), make([]any, len(columns))
				for i := range cells {
					cells[i] = new(sql.NullString)
				}
				require.NoError(t, rows.Scan(cells...))
				for i := range cells {
					row[i] = cells[i].(*sql.NullString).String
				}
				all = append(all, row)
			}
			require.NoError(t, rows.Err(), s)
		}
		return all
	}
}

// asSmallestUser opens a server with a binary log, with the rights that the page names.
func asSmallestUser(t *testing.T, s *testserver.Server) asker {
	opened(t, "mysql", s.DSN())(t, "SET GLOBAL log_bin_trust_function_creators = ON",
		"CREATE USER small@'%' IDENTIFIED BY 'secret'",
		"GRANT CREATE ROUTINE, CREATE, INSERT, SELECT ON test.* TO small@'%'")
	return opened(t, "mysql", strings.Replace(s.DSN(), "root@", "small:secret@", 1))
}

// testSQL compares what a database reads in ids with what the library does, in many layouts, and
// runs what docs/sql.md shows.
func testSQL(t *testing.T, dialect string, ask asker) {
	say := tongues[dialect]
	layouts := []string{"33/10/1/14/5=31", "wts:10/40/1/10/2=3@7ms", "40/0/20@1ms", "20/22/21@24h",
		"41/10/12@1ms --epoch 2010-11-04T01:42:54.657Z",
		"tsw:38/1/8/16/0@700ms --epoch 1971-03-04T05:06:07.891Z"}
	for _, r := range presets() {
		layouts = append(layouts, r.preset)
	}
	_, beside, _ := functions(t, dialect, " --prefix old_") // which are left alone
	ask(t, beside...)
	for _, layout := range layouts {
		text, made, exprs := functions(t, dialect, " --layout "+layout)
		l, err := uid.ParseLayout(regexp.MustCompile("layout (.*)").FindStringSubmatch(text)[1])
		require.NoError(t, err)
		end := time.Date(2299, 1, 1, 0, 0, 0, 0, time.UTC) // of ClickHouse's times
		last := min(int64(1)<<l.TimeBits-1, int64(end.Sub(l.Epoch)/l.Unit))
		var parts []string
		var want [][]string
		for i := range 100 {
			id, err := l.Compose(uid.Parts{Tick: []int64{0, last, rand.Int64N(last)}[min(i, 2)],
				Worker: rand.Int64N(l.MaxWorker() + 1), Turn: rand.Int64N(1 << l.TurnBits),
				Seq: rand.Int64N(1 << l.SeqBits)})
			require.NoError(t, err)
			p, err := l.Parse(id)
			require.NoError(t, err)
			least, _ := l.MinID(p.Time) // 0 if there is none
			want = append(want, []string{id.String(), p.Time.Format("2006-01-02 15:04:05.000"),
				fmt.Sprint(p.Worker), least.String()})
			within := p.Time.Add(rand.N(l.Unit))
			if dialect == "sqlite" { // which rounds, and up
				within = within.Truncate(time.Millisecond)
			}
			parts = append(parts, fmt.Sprintf(say.part, id, within.Format("2006-01-02 15:04:05.000000")))
		}
		if layout == "baidu" { // and those that are negative, since its time is over
			parts = append(parts, fmt.Sprintf(say.part, int64(-7032544403511869423), "2016-05-19 16:00:00"))
			want = append(want, []string{"-7032544403511869423", "2026-11-28 12:55:32.000", "3100", "0"})
		}
		query := fmt.Sprintf(say.query, exprs[0], exprs[1], append(exprs, "0")[2],
			strings.Join(parts, " UNION ALL "))
		got := ask(t, slices.Concat([]string{say.zone}, made, []string{query})...)
		require.ElementsMatch(t, want, got, l)
		for _, s := range made {
			ask(t, "DROP FUNCTION "+regexp.MustCompile(`ringuid_\w+`).FindString(s))
		}
	}
	testPage(t, dialect, ask)
}

// functions returns the statements that the command prints, and the expressions with id and t that
// they make possible: the time, the worker id, and the smallest id unless there is none.
func functions(t *testing.T, dialect, flags string) (text string, made, exprs []string) {
	text, code := printed(t, "sql --dialect "+dialect+flags)
	require.Equal(t, cli.OK, code, flags)
	if dialect == "sqlite" {
		bare := strings.TrimSpace(regexp.MustCompile(`(?m)^--.*\n`).ReplaceAllString(text, ""))
		return text, nil, strings.Split(strings.ReplaceAll(bare, ":t", "t"), "\n\n")
	}
	n := strings.Count(text, "FUNCTION")
	exprs = []string{"ringuid_time(id)", "ringuid_worker(id)", "ringuid_min(t)"}[:n]
	return text, statements(text)[:n], exprs
}

func statements(text string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";\n")
}

// testPage runs what the page shows, on a row for each hour of three months.
func testPage(t *testing.T, dialect string, ask asker) {
	say := tongues[dialect]
	page, err := os.ReadFile("../../docs/sql.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## "+say.section+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	text, _, exprs := functions(t, dialect, "")
	blocks := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(section, -1)
	require.Equal(t, text, blocks[0][1])
	if dialect == "sqlite" {
		blocks = blocks[1:] // which has the expressions
		require.Contains(t, blocks[0][1], exprs[0])
		require.Contains(t, blocks[0][1], strings.Replace(exprs[2], "(t)", "('2026-11-20')", 1))
	}
	newest := dialect == "postgres" && ask(t, "SELECT count(*) FROM pg_available_extensions "+
		"WHERE name = 'pg_partman' AND default_version >= '5.4'")[0][0] == "1" // and PostgreSQL 18
	var ran, asked []string
	for _, block := range blocks {
		for _, s := range statements(block[1]) {
			switch only := strings.Contains(block[1], "VIRTUAL") || strings.Contains(block[1], "partman"); {
			case only && !newest:
			case strings.HasPrefix(s, "SELECT id"), strings.HasPrefix(s, "SET "):
				asked = append(asked, s)
			default:
				ask(t, s)
				ran = append(ran, s)
			}
		}
	}
	var hours []string
	for hour := range 92 * 24 {
		id, err := uid.SnowflakeLayout().MinID(time.Date(2026, 10, 1, hour, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		hours = append(hours, fmt.Sprintf("(%d)", id))
	}
	tables := regexp.MustCompile(`TABLE (\w+) \(`).FindAllStringSubmatch(fmt.Sprint(ran), -1)
	for _, table := range tables {
		ask(t, "INSERT INTO "+table[1]+" (id) VALUES "+strings.Join(hours, ","))
		query := strings.ReplaceAll(strings.Join(asked, ";\n"), "orders", table[1])
		require.Len(t, ask(t, statements(query)...), 24)
		query = strings.Replace(query, "SELECT id", say.explain+" SELECT id", 1)
		plan := fmt.Sprint(ask(t, statements(query)...))
		require.Regexp(t, say.plan, plan)
		require.NotRegexp(t, say.not, plan)
	}
	// A time that no id has: before the layout's, and after it.
	least := func(at string) string { return strings.Replace(exprs[2], "(t)", "('"+at+"')", 1) }
	require.Len(t, ask(t, "SELECT id FROM orders WHERE id >= "+least("2000-01-01")), len(hours))
	if dialect == "sqlite" || dialect == "clickhouse" { // others report an error
		require.Empty(t, ask(t, "SELECT id FROM orders WHERE id >= "+least("2100-01-01")))
	}
}
