package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker/store"
)

// A result is what was measured for a kind of key on a server.
type result struct {
	Server   string
	Key      string
	KeyBytes int

	Primary extent
	Foreign extent

	Splits   *float64 // of pages, per 1,000 rows, where the server reports them
	LogBytes float64  // per row
	Rate     float64  // rows a second, as fast as the processes can

	Last   float64 // blocks of the last 1,000 rows
	ByList bool    // which were looked up by a list of keys
	LookUp float64 // blocks of one

	// After the older half of the rows was deleted, per row that is left.
	LeftPrimary extent
	LeftForeign extent
}

type measurement struct {
	*database
	o   options
	k   kind
	all processes
	result
}

func measure(o options, d *database, nth int, dsn string) result {
	k := kinds()[nth]
	m := measurement{database: d, o: o, k: k, result: result{Server: d.version, Key: k.name,
		KeyBytes: k.size(), ByList: k.unsorted}}
	identity := ""
	if k.layout == nil && k.make == nil {
		identity = d.sql["identity"]
	}
	d.do(with(d.sql["tables"], "{key}", d.sql[k.column], "{identity}", identity))
	if k.layout != nil && !k.fresh && d.err == nil {
		d.failed(makePool(d.ctx, d.leases, *k.layout))
	}
	if d.err != nil {
		return m.result
	}
	all, err := spawn(o, nth, dsn)
	d.failed(err)
	defer func() { d.failed(all.end()) }()
	m.all = all

	m.insert()
	m.Primary, m.Foreign = m.indexes(o.Rows)
	m.queries()
	old := o.Rows / 2
	d.do(fmt.Sprintf("DELETE FROM parent WHERE id IN (SELECT id FROM "+
		"(SELECT id FROM parent ORDER BY made, id LIMIT %d) AS old)", old))
	d.vacuum()
	m.LeftPrimary, m.LeftForeign = m.indexes(o.Rows - old)
	m.Rate = float64(o.Rows) / m.inserted(0).Seconds()
	m.count(2*o.Rows - old)
	return m.result
}

// inserted has the processes insert the rows, and returns how long it took.
func (m *measurement) inserted(rate float64) time.Duration {
	if m.err != nil {
		return 0
	}
	begin := time.Now()
	m.failed(m.all.insert(m.o.Rows, rate))
	return time.Since(begin)
}

// insert inserts rows at the rate, and measures what the server wrote.
func (m *measurement) insert() {
	for s := range strings.SplitSeq(m.sql["may fail"], ";\n") {
		_, _ = m.ExecContext(m.ctx, s) // where it fails, the server reports less
	}
	before := m.number(m.sql["position"])
	splits := with(m.sql["splits"], "{since}", fmt.Sprintf("%.0f", before))
	earlier, _ := m.try(splits) // PostgreSQL has no log yet to count them in
	m.inserted(m.o.Rate)
	rows := float64(m.o.Rows)
	m.LogBytes = (m.number(m.sql["position"]) - before) / rows
	if got, ok := m.try(splits); ok {
		perThousand := (got[0] - append(earlier, 0)[0]) * 1000 / rows
		m.Splits = &perThousand
	}
	m.count(m.o.Rows)
}

// makePool creates the rows of a pool of worker ids as they are when its first minute is over.
func makePool(ctx context.Context, s store.Raiser, l uid.Layout) error {
	need := l.Need()
	p := store.Pool{Layout: need.Fingerprint, Unit: need.Unit}
	created := store.Nonce{1} // no other process is here
	var workers []int64
	for i := range int64(workerIDs) {
		workers = append(workers, i)
	}
	if err := s.Create(ctx, p, workers, created); err != nil {
		return err
	}
	if _, err := s.Raise(ctx, p, store.Head{}, 0, time.Second); err != nil {
		return err
	}
	now, err := s.Now(ctx)
	if err != nil {
		return err
	}
	return s.Open(ctx, p, workers, created,
		store.Row{Nonce: store.Nonce{2}, Open: true, High: p.TickAt(now) - 1})
}

// count fails unless both tables have this many rows, each with a key of its own.
func (m *measurement) count(want int) {
	for _, query := range []string{"SELECT count(DISTINCT id) FROM parent",
		"SELECT count(DISTINCT parent) FROM child", "SELECT count(*) FROM child"} {
		if n := m.number(query); int(n) != want {
			m.failed(fmt.Errorf("%s: %v, where %d were inserted", query, n, want))
		}
	}
}

func (m *measurement) indexes(rows int) (primary, foreign extent) {
	m.do(m.sql["analyze"])
	n, key := float64(rows), float64(m.k.size())
	return m.index("primary", n, key+m.row.primary), m.index("foreign", n, key+m.row.foreign)
}

// queries counts the blocks read for the last 1,000 rows, and for a random row whose key is
// known. Where keys do not sort by time, the last rows are looked up by a list of their keys.
func (m *measurement) queries() {
	keys := m.read(with(m.sql["keys"], "{key}", m.sql[m.k.column]))
	if m.err != nil {
		return
	}
	query := "SELECT filler FROM parent ORDER BY id DESC LIMIT 1000"
	if m.k.unsorted {
		list := strings.Join(keys[max(0, len(keys)-1000):], ", ")
		query = "SELECT filler FROM parent WHERE id IN (" + list + ")"
	}
	m.Last = m.blocks(query)
	const times = 20
	for range times {
		key := keys[rand.IntN(len(keys))]
		m.LookUp += m.blocks("SELECT filler FROM parent WHERE id = "+key) / times
	}
}
