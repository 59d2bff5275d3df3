package main

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLikeliestLayoutIsFirst(t *testing.T) {
	ranked := func(now string) (place func(preset string) int, last int) {
		at, err := time.Parse(time.DateOnly, now)
		require.NoError(t, err)
		all, err := presets()
		require.NoError(t, err)
		all = rank(all, at)
		return func(preset string) int {
			return slices.IndexFunc(all, func(c candidate) bool { return c.preset == preset })
		}, len(all) - 1
	}
	place, last := ranked("2026-11-22")
	assert.Zero(t, place("default"), "while its time lasts")
	assert.Less(t, place("snowflake"), place("baidu"))
	assert.Equal(t, last, place("baidu"), "its time is over since 2024")

	place, _ = ranked("2036-06-01")
	assert.Less(t, place("snowflake"), place("default"), "its time is over since 2034, too")
}
