package testserver

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that notes how it ends.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Skip(args ...any)             { r.skipped = args[0].(string); runtime.Goexit() }
func (r *recorder) Fatalf(f string, args ...any) { r.failed = f; runtime.Goexit() }

func TestMissingServer(t *testing.T) {
	for list, fails := range map[string]bool{
		"": false, "redis,etcd": false, "nosql2": false, "all": true, "redis,nosql": true,
		"Redis, NoSQL": true,
	} {
		t.Setenv("UID_TEST_REQUIRE", list)
		r := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Missing(r, "NoSQL", "apt-get install nosql")
		}()
		<-done
		assert.Equal(t, fails, r.failed != "", "%q", list)
		if !fails {
			assert.Equal(t, "NoSQL is not installed: apt-get install nosql", r.skipped)
		}
	}
}
