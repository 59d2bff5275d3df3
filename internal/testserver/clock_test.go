package testserver

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With scripts/test-at.sh both have another clock than the machine, and the same one: a
// program in Go, and one in C.
func TestServersHaveTheClockOfTheTests(t *testing.T) {
	t.Run("etcd", func(t *testing.T) {
		q := request("GET", "/version", "")
		q.answer = "\r\nDate: (.*)\r\n"
		says, err := ask(Etcd(t).Addr(), q)
		require.NoError(t, err)
		now, err := http.ParseTime(says[0])
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), now, 10*time.Minute)
	})
	t.Run("Redis", func(t *testing.T) {
		says, err := ask(Redis(t).Addr(), question{text: "TIME\r\n",
			answer: `^\*2\r\n\$\d+\r\n(\d+)\r\n`})
		require.NoError(t, err)
		seconds, err := strconv.ParseInt(says[0], 10, 64)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), time.Unix(seconds, 0), 10*time.Minute)
	})
}
