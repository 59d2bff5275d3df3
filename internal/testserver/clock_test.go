package testserver

import (
	"bufio"
	"crypto/tls"
	"database/sql"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// With scripts/test-at.sh both have another clock than the machine, and the same one.
func TestServersHaveTheClockOfTheTests(t *testing.T) {
	for name, clock := range map[string]func(*testing.T) time.Time{
		"etcd": func(t *testing.T) time.Time {
			return dated(t, http.DefaultClient, Etcd(t).DSN()+"/version")
		},
		"MariaDB": func(t *testing.T) time.Time {
			db, err := sql.Open("mysql", MariaDB(t).DSN())
			require.NoError(t, err)
			defer db.Close()
			var seconds int64
			require.NoError(t, db.QueryRow("SELECT UNIX_TIMESTAMP()").Scan(&seconds))
			return time.Unix(seconds, 0)
		},
		"PostgreSQL": func(t *testing.T) time.Time {
			s := Postgres(t)
			psql, found := finder("psql", "/usr/lib/postgresql/*/bin/psql", "/usr/pgsql-*/bin/psql")()
			require.True(t, found, "PostgreSQL is here without psql")
			answer, err := exec.Command(psql, "-At", "-c",
				"SELECT EXTRACT(EPOCH FROM clock_timestamp())::BIGINT", s.DSN()).Output()
			require.NoError(t, err)
			return unix(t, string(answer))
		},
		"Redis": func(t *testing.T) time.Time {
			c, err := net.Dial("tcp", Redis(t).Addr())
			require.NoError(t, err)
			defer c.Close()
			_, err = c.Write([]byte("TIME\r\n"))
			require.NoError(t, err)
			for lines := bufio.NewScanner(c); lines.Scan(); { // *2, $10, seconds, ...
				if line := lines.Text(); line[0] != '*' && line[0] != '$' {
					return unix(t, line)
				}
			}
			t.Fatal("Redis does not tell its time")
			return time.Time{}
		},
	} {
		t.Run(name, func(t *testing.T) { assert.WithinDuration(t, time.Now(), clock(t), 10*time.Minute) })
	}
}

func TestKubernetesHasTheClockOfTheTests(t *testing.T) {
	server := Kubernetes(t, []string{Etcd(t).Addr()})
	trusting := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true}
	clock := dated(t, &http.Client{Transport: trusting}, server.DSN()+"/version")
	assert.WithinDuration(t, time.Now(), clock, 10*time.Minute)
}

// dated is when a server says that it has answered.
func dated(t *testing.T, client *http.Client, url string) time.Time {
	answer, err := client.Get(url)
	require.NoError(t, err)
	defer answer.Body.Close()
	now, err := http.ParseTime(answer.Header.Get("Date"))
	require.NoError(t, err)
	return now
}

func unix(t *testing.T, text string) time.Time {
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	require.NoError(t, err)
	return time.Unix(seconds, 0)
}
