package docs

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// The Go code of docs/ stands here word for word, so that it is compiled and run.

func ofBaiduJava() uid.Config {
	shanghai := time.FixedZone("+08:00", 8*60*60)
	config := uid.Config{
		Layout: uid.Layout{
			Epoch:    time.Date(2016, 9, 20, 0, 0, 0, 0, shanghai), // epochStr, in the JVM's zone
			Unit:     time.Second,
			TimeBits: 29, WorkerBits: 21, SeqBits: 13,
		},
	}
	return config
}

func asBaiduJava(ctx context.Context, db *sql.DB, config uid.Config) (*uid.CachedGenerator, error) {
	gen, err := uid.NewCached(ctx, worker.Disposable(sqlstore.MySQL(db)), config)
	return gen, err
}

func asBwmarrin(ctx context.Context) (*uid.DefaultGenerator, error) {
	config, err := preset.Named("snowflake")
	if err != nil {
		return nil, err
	}
	gen, err := uid.NewDefault(ctx, worker.Static(7), config) // snowflake.NewNode(7)
	return gen, err
}

func aboveASequence(ctx context.Context, assigner worker.Assigner) (*uid.CachedGenerator, error) {
	gen, err := uid.NewCached(ctx, assigner, uid.Config{Above: 48_113_902})
	return gen, err
}

func asSonyflake(ctx context.Context) (*uid.DefaultGenerator, error) {
	config, err := preset.Sonyflake{
		StartTime: time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC), // version 2's; version 1 has 2014-09-01
	}.Config()
	if err != nil {
		return nil, err
	}
	gen, err := uid.NewDefault(ctx, worker.Static(258), config) // its MachineID
	return gen, err
}

func inOneProcess(ctx context.Context, store worker.Registrar) error {
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{}) // ctx bounds the start alone
	if err != nil {
		return err
	}
	defer gen.Close()
	id, err := gen.GetUID()
	if err != nil {
		return err
	}
	fmt.Println(id)
	return nil
}

func TestOneGeneratorInAProcess(t *testing.T) {
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(filepath.Join(testserver.TempDir(t), "worker.db")))
	require.NoError(t, err)
	defer db.Close()
	store := sqlstore.SQLite(db)
	require.NoError(t, store.CreateTable(t.Context()))
	assert.NoError(t, inOneProcess(t.Context(), store))
}

func TestJavaAndGoShareATable(t *testing.T) {
	db, err := sql.Open("mysql", testserver.MariaDB(t, testserver.Durable()).DSN())
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, sqlstore.MySQL(db).CreateTable(t.Context()))
	_, err = db.Exec("INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED) VALUES ('java', '1', 2, '2026-01-01', NOW(), NOW())")
	require.NoError(t, err)
	config := ofBaiduJava()
	begin := time.Now()
	// That layout's time ends in 2033, with Java and with Go.
	config.Now = func() time.Time { return time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Since(begin)) }
	gen, err := asBaiduJava(t.Context(), db, config)
	require.NoError(t, err)
	defer gen.Close()
	id, err := gen.GetUID()
	require.NoError(t, err)
	parts, err := gen.ParseUID(id)
	require.NoError(t, err)
	assert.EqualValues(t, 2, parts.Worker, "the Java process has the one before")
	assert.EqualValues(t, 2, int64(id)>>13&(1<<21-1), "as its parseUID has it")
}

func TestANodeOfBwmarrinGoesOn(t *testing.T) {
	gen, err := asBwmarrin(t.Context())
	require.NoError(t, err)
	defer gen.Close()
	id, err := gen.GetUID()
	require.NoError(t, err)
	assert.EqualValues(t, 7, int64(id)>>12&1023, "as its ID.Node has it")
	assert.WithinDuration(t, time.Now(), time.UnixMilli(int64(id)>>22+1288834974657), time.Minute, "as its ID.Time has it")
}

func TestIDsGoOnAboveASequence(t *testing.T) {
	gen, err := aboveASequence(t.Context(), worker.Static(7))
	require.NoError(t, err)
	defer gen.Close()
	id, err := gen.GetUID()
	require.NoError(t, err)
	assert.Greater(t, id, uid.ID(48_113_902))
}

func TestAMachineOfSonyflakeGoesOn(t *testing.T) {
	gen, err := asSonyflake(t.Context())
	require.NoError(t, err)
	defer gen.Close()
	id, err := gen.GetUID()
	require.NoError(t, err)
	assert.EqualValues(t, 258, int64(id)&(1<<16-1), "as its Decompose has the machine")
	elapsed := time.Duration(int64(id)>>24) * 10 * time.Millisecond
	assert.WithinDuration(t, time.Now(), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Add(elapsed), time.Minute, "as its ToTime has it")
}

func TestTheCodeOfTheDocumentationIsCompiled(t *testing.T) {
	var here string
	for _, file := range []string{"snippets_test.go", "shownids_test.go"} {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		here += string(code)
	}
	found := 0
	for _, p := range pages(t, "CONTRIBUTING.md", "SECURITY.md", "llms.txt", "docs/*.md") {
		if strings.HasSuffix(p.name, ".zh_cn.md") {
			continue // the code is the original's, but for comments: TestTheChinesePagesAreInStep
		}
		for _, s := range p.sections {
			for _, b := range s.blocks {
				if b.language != "go" || strings.HasPrefix(b.text, "package main\n") { // the examples have those
					continue
				}
				found++
				code := "\n" + strings.TrimSpace(b.text) + "\n"
				if inside := strings.ReplaceAll(code[:len(code)-1], "\n", "\n\t") + "\n"; !strings.Contains(here, code) {
					assert.Contains(t, here, inside, "%s:%d: put it into snippets_test.go word for word, or into shownids_test.go", p.name, b.line)
				}
			}
		}
	}
	assert.Positive(t, found)
}
