package testserver

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRequired(t *testing.T) {
	for _, c := range []struct {
		name, list string
		want       bool
	}{
		{"MariaDB", "", false},
		{"MariaDB", "all", true},
		{"MariaDB", "mariadb", true},
		{"PostgreSQL", "mariadb,postgresql", true},
		{"PostgreSQL", "MariaDB, PostgreSQL", true},
		{"etcd", "mariadb,postgresql", false},
		{"etcd", "etcd2", false},
	} {
		assert.Equal(t, c.want, required(c.name, c.list), "%s in %q", c.name, c.list)
	}
}

// recorder is a test that notes how it ends.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Skip(args ...any)             { r.skipped = args[0].(string); runtime.Goexit() }
func (r *recorder) Fatalf(f string, args ...any) { r.failed = f; runtime.Goexit() }

func TestMissingServer(t *testing.T) {
	for _, require := range []string{"", "redis", "nosql", "all"} {
		t.Setenv("UID_TEST_REQUIRE", require)
		r := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Missing(r, "NoSQL", "apt-get install nosql")
		}()
		<-done
		if required("NoSQL", require) {
			assert.NotEmpty(t, r.failed)
			assert.Empty(t, r.skipped)
		} else {
			assert.Equal(t, "NoSQL is not installed: apt-get install nosql", r.skipped)
			assert.Empty(t, r.failed)
		}
	}
}
