package testserver

import (
	"bufio"
	"net"
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
		answer, err := http.Get(Etcd(t).DSN() + "/version")
		require.NoError(t, err)
		defer answer.Body.Close()
		now, err := http.ParseTime(answer.Header.Get("Date"))
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), now, 10*time.Minute)
	})
	t.Run("Redis", func(t *testing.T) {
		c, err := net.Dial("tcp", Redis(t).Addr())
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Write([]byte("TIME\r\n"))
		require.NoError(t, err)
		lines := bufio.NewScanner(c)
		for lines.Scan() && (lines.Text()[0] == '*' || lines.Text()[0] == '$') { // *2, $10
		}
		seconds, err := strconv.ParseInt(lines.Text(), 10, 64)
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), time.Unix(seconds, 0), 10*time.Minute)
	})
}
