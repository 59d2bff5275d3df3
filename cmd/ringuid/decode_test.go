package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

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
