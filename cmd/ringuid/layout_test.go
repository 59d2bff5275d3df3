package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// printed is what a command writes to stdout, and how it exits.
func printed(t *testing.T, line string) (out string, code int) {
	var stdout bytes.Buffer
	code = run(t.Context(), strings.Fields(line), &stdout, io.Discard)
	return stdout.String(), code
}

// What migrate says that works is typed after the same line, and is safe.
func TestWhatMigrateSaysThatWorksIsSafe(t *testing.T) {
	layouts := []string{"default", "SnowflakeLayout", "twitter", "js-safe", "seata", "tsid", "yitter",
		"raindrop-s", "41/10/12@1ms", "33/10/1/14/5=31", "40/0/23", "wts:3/40/20"}
	at, epochs, workers, none := time.Now().AddDate(0, 0, 1), 0, 0, 0
	for _, from := range layouts {
		for _, to := range layouts {
			line := "migrate --from " + from + " --to " + to + " --at " + at.Format(time.DateOnly)
			out, code := printed(t, line+" --format json")
			var a migration
			require.NoError(t, json.Unmarshal([]byte(out), &a), line)
			if code == 0 {
				assert.NotEmpty(t, a.Rests, line)
				assert.Empty(t, a.Works, line)
				continue
			}
			for _, flags := range a.Works {
				out, code := printed(t, line+" "+flags)
				assert.Equal(t, 0, code, "%s %s\n%s", line, flags, out)
				if strings.HasPrefix(flags, "--to-epoch") {
					epochs++
				} else {
					workers++
				}
			}
			if len(a.Works) == 0 {
				none++
			}
		}
	}
	for _, n := range []int{epochs, workers, none} {
		assert.Positive(t, n)
	}
}

func TestTheLikeliestLayoutIsFirst(t *testing.T) {
	for name, c := range map[string]struct {
		now  string
		id   uid.ID
		want string
	}{
		"the layout to begin with": {
			"2026-11-26", 119111846907904000,
			"SnowflakeLayout default",
		},
		"the default layout": {
			"2026-11-22", 538815673191686144,
			"default sonyflake tsid hazelcast discord leaf twitter instagram baidu",
		},
		"the default layout, though tsid reads a later time": {
			"2028-01-01", 964276247316824064,
			"default tsid hazelcast seata discord leaf twitter instagram baidu",
		},
		"once its time is over": {
			"2036-06-01", 538815673191686144,
			"SnowflakeLayout sonyflake-v2 raindrop-ms sonyflake tsid hazelcast discord leaf twitter " +
				"instagram default baidu",
		},
		"the last time": {
			"2026-11-22", 2123627392005050368,
			"leaf twitter instagram baidu",
		},
		"a small number, which is one of the first days of others": {
			"2026-11-22", 294051831726149,
			"seata yitter yitter-go snowflake-4-10 SnowflakeLayout default sonyflake-v2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			now, err := time.Parse(time.DateOnly, c.now)
			require.NoError(t, err)
			d := decoder{layouts: presets(), now: now}
			var got []string
			for _, f := range d.fits(c.id) {
				got = append(got, f.preset)
			}
			want := strings.Fields(c.want)
			assert.Equal(t, want, got[:min(len(want), len(got))])
		})
	}
}
