package main

import (
	"errors"
	"fmt"
	"io"
	mathbits "math/bits"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/uid"
)

func newSQL() *cobra.Command {
	var (
		layout       cli.Layout
		name, prefix string
	)
	cmd := &cobra.Command{
		Use:     "sql --dialect DATABASE",
		GroupID: "ids",
		Short:   "Print the SQL that reads ids in a database",
		Long: `Sql prints three functions for a database:

  ringuid_time(id)    the time of an id, which is the first instant of its tick
  ringuid_worker(id)  its worker id
  ringuid_min(t)      the smallest id of the tick that holds the time t

Rows from a time a until before b are those with
id >= ringuid_min(a) AND id < ringuid_min(b). These are the bounds that
ringuid decode --bounds a..b shows.

SQLite has no functions in SQL: it prints expressions with id and :t. With the worker id above
the time, as in wts:10/41/12@1ms, there is no ringuid_min: the ids of a time are not in one
range. The layout is SnowflakeLayout unless a flag says otherwise.`,
		Example: `  ringuid sql --dialect postgres
  ringuid sql --dialect mysql --layout tsw:39/8/16@10ms --epoch 2025-01-01
  ringuid sql --dialect clickhouse --layout twitter`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d, ok := dialects[name]
			if !ok {
				return cli.Usagef("which database? type --dialect postgres, mysql, sqlite or clickhouse")
			}
			l, err := layout.Named()
			if err != nil {
				return err
			}
			return d.write(c.OutOrStdout(), l, prefix)
		},
	}
	cmd.Flags().Var(cli.OneOf(&name, "postgres", "mysql", "sqlite", "clickhouse"), "dialect",
		"`DATABASE`: postgres, mysql (MariaDB, too), sqlite or clickhouse")
	cmd.Flags().StringVar(&prefix, "prefix", "ringuid_", "`PREFIX` of names: each layout needs its own")
	layout.Bind(cmd)
	return cmd
}

type dialect struct {
	shift, mask string // formats, of an expression and a number
	since       int    // the first year of its times
	functions   *template.Template
}

var dialects = map[string]dialect{
	"postgres":   {"(%s >> %d)", "%s & %d", 1, parse(postgresSQL)},
	"mysql":      {"(%s >> %d)", "%s & %d", 1000, parse(mysqlSQL)},
	"sqlite":     {"(%s >> %d)", "%s & %d", 1, parse(sqliteSQL)},
	"clickhouse": {"bitShiftRight(%s, %d)", "bitAnd(%s, %d)", 1900, parse(clickhouseSQL)},
}

func parse(text string) *template.Template {
	return template.Must(template.New("").Parse(text + noBounds))
}

// noBounds is for a layout that has none, in place of ringuid_min.
const noBounds = `{{if not .Bounds}}
-- There is no smallest id of a time: the worker id is above the time, so that the ids of a time
-- are not in one range.
{{end}}`

type readable struct {
	Layout       uid.Layout
	Prefix       string // of names
	Tick, Worker string // expressions with id
	Start        string // of tick 0, in UTC
	StartMS      int64  // the same, in milliseconds since the Unix epoch
	Unit         int64  // milliseconds in a tick
	Seconds      float64
	Step         uid.ID // between the smallest ids of two ticks
	Tail         string // added to them
	Bounds       bool   // whether the ids of a tick are in one range
}

// write writes the functions for a layout, which is valid, under names with a prefix.
func (d dialect) write(w io.Writer, l uid.Layout, prefix string) error {
	first, _ := l.Parse(uid.ID(l.Tail)) // of tick 0
	if first.Time.Year() < d.since {
		return cli.Usagef("%v: times of this database begin in the year %d", l, d.since)
	}
	_, err := l.MinID(l.Epoch)
	r := readable{
		Layout: l, Prefix: prefix, StartMS: first.Time.UnixMilli(), Unit: l.Unit.Milliseconds(),
		Start: first.Time.Format("2006-01-02 15:04:05.999"), Seconds: l.Unit.Seconds(), Worker: "0",
		Step: oneOf(l, uid.Parts{Tick: 1}), Bounds: !errors.Is(err, errors.ErrUnsupported),
	}
	r.Tick = d.field(l, r.Step, l.TimeBits)
	if !r.Bounds || strings.Contains(r.Tick, "&") { // which binds less than *
		r.Tick = "(" + r.Tick + ")"
	}
	if l.WorkerBits > 0 {
		r.Worker = d.field(l, oneOf(l, uid.Parts{Worker: 1}), l.WorkerBits)
	}
	if l.Tail > 0 {
		r.Tail = fmt.Sprintf(" + %d", l.Tail)
	}
	return d.functions.Execute(w, r)
}

// oneOf returns how much greater an id is with these parts than with none, which fit every layout
// that has such parts.
func oneOf(l uid.Layout, p uid.Parts) uid.ID {
	id, _ := l.Compose(p)
	return id - uid.ID(l.Tail)
}

// field returns the expression of a field that begins at a bit with this value.
func (d dialect) field(l uid.Layout, lowest uid.ID, width int) string {
	expr, shift := "id", mathbits.TrailingZeros64(uint64(lowest))
	if shift > 0 {
		expr = fmt.Sprintf(d.shift, expr, shift)
	}
	bits := l.TimeBits + l.WorkerBits + l.TurnBits + l.SeqBits + l.TailBits
	switch {
	case shift+width < bits:
	case bits == 63 && l.End().Before(time.Now()): // originals made negative ids then
		width++
	default: // nothing is above
		return expr
	}
	return fmt.Sprintf(d.mask, expr, mask(width))
}

const postgresSQL = `-- made by ringuid sql for the layout {{.Layout}}
CREATE FUNCTION {{.Prefix}}time(id bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (timestamp '{{.Start}}' + {{.Tick}} * interval '{{.Seconds}} s') AT TIME ZONE 'UTC';

CREATE FUNCTION {{.Prefix}}worker(id bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN {{.Worker}};
{{if .Bounds}}
CREATE FUNCTION {{.Prefix}}min(t timestamptz) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN div(extract(epoch FROM t - timestamptz '{{.Start}}Z'), {{.Seconds}})::bigint
    * {{.Step}}{{.Tail}};
{{end}}`

const mysqlSQL = `-- made by ringuid sql for the layout {{.Layout}}
CREATE FUNCTION {{.Prefix}}time(id BIGINT) RETURNS DATETIME(3)
  DETERMINISTIC NO SQL SQL SECURITY INVOKER
  RETURN TIMESTAMPADD(MICROSECOND, {{.Tick}} * {{.Unit}}000, '{{.Start}}');

CREATE FUNCTION {{.Prefix}}worker(id BIGINT) RETURNS BIGINT
  DETERMINISTIC NO SQL SQL SECURITY INVOKER
  RETURN {{.Worker}};
{{if .Bounds}}
CREATE FUNCTION {{.Prefix}}min(t DATETIME(6)) RETURNS BIGINT
  DETERMINISTIC NO SQL SQL SECURITY INVOKER
  RETURN TIMESTAMPDIFF(MICROSECOND, '{{.Start}}', t) DIV {{.Unit}}000 * {{.Step}}{{.Tail}};
{{end}}`

const sqliteSQL = `-- made by ringuid sql for the layout {{.Layout}}
-- the time of an id, in UTC
strftime('%Y-%m-%d %H:%M:%f', ({{.Tick}}{{if gt .Unit 1}} * {{.Unit}}{{end}} + {{.StartMS}}) / 1000.0, 'unixepoch')

-- its worker id
{{.Worker}}
{{if .Bounds}}
-- the smallest id of the time :t
CAST(round((julianday(:t) - julianday('{{.Start}}')) * 86400000) AS INTEGER)
  {{if gt .Unit 1}}/ {{.Unit}} {{end}}* {{.Step}}{{.Tail}}
{{end}}`

const clickhouseSQL = `-- made by ringuid sql for the layout {{.Layout}}
CREATE FUNCTION {{.Prefix}}time AS (id) ->
  fromUnixTimestamp64Milli({{.Tick}}{{if gt .Unit 1}} * {{.Unit}}{{end}} + {{.StartMS}}, 'UTC');

CREATE FUNCTION {{.Prefix}}worker AS (id) ->
  {{.Worker}};
{{if .Bounds}}
CREATE FUNCTION {{.Prefix}}min AS (t) ->
  {{if gt .Unit 1}}intDiv{{end}}(toUnixTimestamp64Milli(toDateTime64(t, 3, 'UTC')) - {{.StartMS}}{{if gt .Unit 1}}, {{.Unit}}{{end}})
    * toInt128({{.Step}}){{.Tail}};
{{end}}`
