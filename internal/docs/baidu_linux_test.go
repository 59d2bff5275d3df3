package docs

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	os.Exit(m.Run())
}

// baidus is the script that makes the table for Java, and what a fleet has beside it.
const baidus = `CREATE TABLE WORKER_NODE (
	ID BIGINT NOT NULL AUTO_INCREMENT COMMENT 'auto increment id',
	HOST_NAME VARCHAR(64) NOT NULL COMMENT 'host name',
	PORT VARCHAR(64) NOT NULL COMMENT 'port',
	TYPE INT NOT NULL COMMENT 'node type: ACTUAL or CONTAINER',
	LAUNCH_DATE DATE NOT NULL COMMENT 'launch date',
	MODIFIED TIMESTAMP NOT NULL COMMENT 'modified time',
	CREATED TIMESTAMP NOT NULL COMMENT 'created time',
	PRIMARY KEY(ID)
) COMMENT='DB WorkerID Assigner for UID Generator', ENGINE = INNODB;
CREATE USER java IDENTIFIED BY 'secret';
GRANT SELECT, INSERT ON WORKER_NODE TO java;
CREATE TABLE orders (id BIGINT PRIMARY KEY);`

// A fleet is Java's programs and the page's, with one database.
type fleet struct {
	t      *testing.T
	sql    []string // of the page
	image  exec.Cmd // of its program
	server *testserver.Server
	root   *sql.DB
	user   *sql.DB // Java's

	java, ours uid.Layout
	over       bool // Java's layout is, and its time is a sign more

	made     map[bool]*idset.Set // by whether ids are negative
	n, twice int
	orders   map[int64]time.Time // some of the ids, and when they were made
}

// A maker is a program that makes ids.
type maker struct {
	takes  func(n int) ([]uid.ID, error)
	layout uid.Layout
	sign   int64
	ends   func() // in good order
	kill   func()
}

func (f *fleet) opens(user string) *sql.DB {
	db, err := sql.Open("mysql", user+"@tcp("+f.server.Addr()+
		")/test?multiStatements=true&parseTime=true&time_zone=%27%2B00:00%27")
	require.NoError(f.t, err)
	f.t.Cleanup(func() { db.Close() })
	return db
}

func (f *fleet) executes(statements string) {
	f.t.Helper()
	_, err := f.root.Exec(statements)
	require.NoError(f.t, err, statements)
}

// startsJava takes the next key, as DisposableWorkerIdAssigner does.
func (f *fleet) startsJava(l uid.Layout) maker {
	f.t.Helper()
	key := func(ctx context.Context) (int64, error) {
		r, err := f.user.ExecContext(ctx, `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE,
LAUNCH_DATE, MODIFIED, CREATED) VALUES ('java', '8080', 1, NOW(), NOW(), NOW())`)
		if err != nil {
			return 0, err
		}
		return r.LastInsertId()
	}
	gen, err := uid.NewCached(f.t.Context(), worker.NeverRepeats(key), uid.CachedConfig{Layout: l,
		MaxLag: -1, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(f.t, err)
	m := maker{layout: l, ends: func() { require.NoError(f.t, gen.Close()) }}
	// borrowed from the future, beyond what Go is granted: in each tick both have made ids
	m.takes = func(n int) ([]uid.ID, error) { return gen.AppendUIDs(nil, 1200*n) }
	if f.over {
		m.sign = math.MinInt64
	}
	return m
}

func (f *fleet) startsGo() maker {
	f.t.Helper()
	port := strconv.Itoa(testserver.Port(f.t))
	p, url := run(f.t, f.image, []string{"PORT=" + port,
		"MYSQL_DSN=shop:secret@tcp(" + f.server.Addr() + ")/test"}), "http://127.0.0.1:"+port
	assert.Empty(f.t, get(f.t, p, url+"/readyz"))
	m := maker{layout: f.ours, kill: p.Kill, ends: func() {
		require.NoError(f.t, p.Cmd.Process.Signal(syscall.SIGTERM))
		<-p.Ended
		require.NoError(f.t, p.Err)
	}}
	m.takes = func(n int) (ids []uid.ID, err error) {
		for len(ids) < n && err == nil {
			var id uid.ID
			id, err = uid.ParseID(strings.TrimSpace(get(f.t, p, url+"/id")))
			ids = append(ids, id)
		}
		return ids, err
	}
	return m
}

// take has all make ids at the same time.
func (f *fleet) take(n int, makers ...maker) {
	f.t.Helper()
	ids := make([][]uid.ID, len(makers))
	var all sync.WaitGroup
	for i, m := range makers {
		all.Go(func() {
			var err error
			ids[i], err = m.takes(n)
			assert.NoError(f.t, err)
		})
	}
	all.Wait()
	for i, m := range makers {
		for _, id := range ids[i] {
			if f.made[m.sign < 0].Add(id) {
				f.twice++
			}
			if f.n++; f.n%499 == 0 {
				parts, err := m.layout.Parse(id)
				require.NoError(f.t, err)
				f.orders[int64(id)|m.sign] = parts.Time
			}
		}
	}
}

// moves goes the way of the page.
func (f *fleet) moves() {
	f.root, f.user = f.opens("root:"), f.opens("java:secret")
	f.executes(baidus)
	old, real := f.java, f.java // what Java made when its bits of time were those that Go has now
	old.Epoch = time.Now().Add(-time.Since(f.ours.Epoch) >> (f.java.WorkerBits - f.ours.WorkerBits))
	if f.over {
		real.Epoch = f.java.Epoch.Add(-1 << f.java.TimeBits * time.Second)
	}
	for range 3 {
		m := f.startsJava(old)
		m.layout, m.sign = real, 0
		f.take(500, m)
		m.ends()
	}
	a, b := f.startsJava(f.java), f.startsJava(f.java)
	f.take(500, a, b)

	f.executes(f.sql[0])
	c, d := f.startsGo(), f.startsGo()
	f.take(500, a, b, c, d)
	a.ends()
	c.kill()
	a, c = f.startsJava(f.java), f.startsGo()
	f.take(500, a, b, c, d)

	a.ends()
	b.ends()
	f.executes(f.sql[2])
	f.take(500, c, d)
	d.ends()
	d = f.startsGo()
	f.take(500, c, d)
	assert.Zero(f.t, f.twice)
	f.t.Logf("%d ids, %d twice", f.n, f.twice)
}

// reads has the page's query read ids of all kinds in their order, with their times.
func (f *fleet) reads() {
	for id := range f.orders {
		f.executes(fmt.Sprintf("INSERT INTO orders VALUES (%d)", id))
	}
	rows, err := f.root.Query(f.sql[1])
	require.NoError(f.t, err)
	n, last := 0, time.Time{}
	for ; rows.Next(); n++ {
		var id int64
		var made time.Time
		require.NoError(f.t, rows.Scan(&id, &made))
		require.True(f.t, f.orders[id].Equal(made), "%d: %v, was made at %v", id, made, f.orders[id])
		require.False(f.t, made.Before(last))
		last = made
	}
	require.NoError(f.t, rows.Err())
	assert.Len(f.t, f.orders, n)
}

// On any date the time of Baidu's defaults has been over for a while, and Go's is not yet.
func TestTheWayFromBaidusJava(t *testing.T) {
	if os.Geteuid() != 0 {
		testserver.Missing(t, "root", "only root may run a program in an image")
	}
	env, _ := published(t)
	later := epoch.Default.Sub(epoch.Published)
	over, longer := uid.BaiduLayout(), uid.DefaultLayout()
	longer.TimeBits, longer.WorkerBits = 30, 20
	over.Epoch = over.End().Add(later)
	lasts := uid.Layout{TimeBits: 29, WorkerBits: 21, SeqBits: 13, Unit: time.Second,
		Epoch: time.Date(time.Now().Year()-1, 9, 20, 0, 0, 0, 0, time.FixedZone("", 8*60*60))}
	for name, c := range map[string]struct {
		fleet
		writes []string // the reader, in place of what the page has
	}{
		"negative ids": {fleet{java: over, ours: longer, over: true}, []string{
			"2026, 1, 1", fmt.Sprint(epoch.Default.Year(), ", 1, 1"),
			"1463673600", fmt.Sprint(1463673600 + int64(later.Seconds())),
			"1767225600", fmt.Sprint(epoch.Default.Unix())}},
		"positive ids": {fleet{java: lasts, ours: lasts}, []string{
			"TimeBits: 30, WorkerBits: 20", "TimeBits: 29, WorkerBits: 21",
			"2026, 1, 1, 0, 0, 0, 0, time.UTC", fmt.Sprint(lasts.Epoch.Year(),
				`, 9, 20, 0, 0, 0, 0, time.FixedZone("", 8*60*60)`)}},
	} {
		p, n := readPage(t, "docs/start/baidu.md"), newcomer{t, t.TempDir(), env}
		p.text = strings.NewReplacer(c.writes...).Replace(p.text)
		n.follows(p.text)
		f := c.fleet
		f.image, f.sql = n.image(p.block("dockerfile")), p.blocks("sql")
		require.Len(t, f.sql, 3)
		for server, start := range map[string]func(testing.TB, ...testserver.Option) *testserver.Server{
			"MariaDB": testserver.MariaDB, "MySQL": testserver.MySQL,
		} {
			t.Run(name+" on "+server, func(t *testing.T) {
				f := f
				f.t, f.server, f.orders = t, start(t, testserver.Durable()), map[int64]time.Time{}
				f.made = map[bool]*idset.Set{true: idset.New(f.java), false: idset.New(f.java)}
				f.moves()
				if f.over {
					f.reads()
				}
			})
		}
	}
}
