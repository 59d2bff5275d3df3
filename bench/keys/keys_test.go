package main

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
)

// servers write to disk before they acknowledge: else Leased takes no worker ids from them.
var servers = []struct {
	name   string
	server *testserver.Shared[*testserver.Server]
}{
	{"PostgreSQL", testserver.Share(func(t testing.TB) *testserver.Server {
		return testserver.Postgres(t, testserver.Durable())
	})},
	{"MariaDB", testserver.Share(func(t testing.TB) *testserver.Server {
		return testserver.MariaDB(t, testserver.Durable(), large)
	})},
	{"MySQL", testserver.Share(func(t testing.TB) *testserver.Server {
		return testserver.MySQL(t, testserver.Durable(), large)
	})},
}

var large = testserver.Args("--innodb-buffer-pool-size=256M")

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		os.Exit(start(nil, os.Stdin, os.Stdout, os.Stderr))
	}
	var around interface{ Run() int } = m
	for _, s := range servers {
		around = s.server.Around(around)
	}
	goleak.VerifyTestMain(around)
}

// TestKeys runs the command on the servers that are installed. With few rows, unless UID_KEYS
// has flags: that is `make keys`.
func TestKeys(t *testing.T) {
	var args []string
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) { args = append(args, "-dsn", s.server.Get(t).DSN()) })
	}
	if len(args) == 0 {
		return // each was skipped by its name
	}
	if flags, asked := os.LookupEnv("UID_KEYS"); asked {
		require.NoError(t, run(context.Background(), append(args, strings.Fields(flags)...), os.Stdout,
			os.Stderr))
		return
	}
	const rows = 301
	svg := filepath.Join(t.TempDir(), "keys.svg")
	var stdout, stderr strings.Builder
	// Each way to make a key, and each type of one.
	keys := []string{"sequence", "41/10/12@1ms", "wts:10/41/12@1ms", "new-pool:41/10/12@1ms",
		"clocks-apart:41/10/12@1ms", "TSID", "bwmarrin/snowflake", "UUIDv7", "ULID"}
	r, err := measured(context.Background(), append(args, "-rows", "301", "-processes", "3",
		"-rate", "5000", "-keys", strings.Join(keys, ","), "-svg", svg), &stderr)
	require.NoError(t, err, &stderr)
	require.NoError(t, r.publish(&stdout))
	assert.Equal(t, rows, r.Options.Rows)
	require.Len(t, r.Results, len(args)/2*len(keys))
	for i, x := range r.Results {
		t.Run(x.Server+" "+x.Key, func(t *testing.T) {
			assert.Equal(t, keys[i%len(keys)], x.Key)
			assert.Equal(t, strings.HasPrefix(x.Key, "wts:"), x.ByList)
			for _, e := range []extent{x.Primary, x.Foreign, x.LeftPrimary, x.LeftForeign} {
				assert.Greater(t, e.BytesPerRow, float64(x.KeyBytes), "an index has the keys")
				assert.Greater(t, e.Density, 0.0)
				assert.LessOrEqual(t, e.Density, 1.0)
			}
			if x.Splits == nil {
				assert.Regexp(t, "^PostgreSQL 1[0-4]", x.Server, "others say it")
			} else {
				assert.GreaterOrEqual(t, *x.Splits, 0.0)
			}
			assert.Greater(t, x.LogBytes, float64(len(filler)), "the log has the rows")
			assert.Positive(t, x.Rate)
			assert.Positive(t, x.Last)
			assert.GreaterOrEqual(t, x.LookUp, 1.0)
		})
		assert.Equal(t, 2, strings.Count(stdout.String(), "\n"+x.Server))
		assert.Contains(t, stdout.String(), " "+x.Key+" ")
	}
	assert.NotContains(t, stdout.String(), "%!")
	picture, err := os.ReadFile(svg)
	require.NoError(t, err)
	assert.NoError(t, xml.Unmarshal(picture, new(struct{ XMLName xml.Name })))
	for _, key := range keys {
		assert.Contains(t, string(picture), key)
	}
}

func TestWrongFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"":                      "no -dsn",
		"-dsn x -keys sequenze": `"sequenze"`,
		"-dsn x -processes 17":  "16 processes",
		"-dsn x -rate 0":        "rate above 0",
		"-dsn x y":              `"y"`,
		"-dsn postgres://x:y:z": "parse",
		"-dsn not-a-dsn":        "DSN",
		"-dsn x -rows many":     "-rows",
	} {
		var stdout, stderr strings.Builder
		err := run(context.Background(), strings.Fields(flags), &stdout, &stderr)
		assert.ErrorContains(t, err, want, flags)
		assert.Empty(t, stdout.String())
	}
}
