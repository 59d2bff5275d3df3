package integration

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// A database that does without an error what others told it to do instead.
func TestStartsWhereWritesAreSuppressed(t *testing.T) {
	t.Parallel()
	const no = "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
	for how, dialect := range map[string]string{
		"CREATE RULE no AS ON INSERT TO uid_lease DO INSTEAD NOTHING":      "PostgreSQL",
		"CREATE RULE no AS ON INSERT TO uid_lease_head DO INSTEAD NOTHING": "PostgreSQL",

		no + "CREATE TRIGGER no BEFORE INSERT ON uid_lease {each}":   "PostgreSQL",
		no + "CREATE TRIGGER no BEFORE UPDATE ON uid_lease {each}":   "PostgreSQL",
		no + "CREATE TRIGGER no BEFORE INSERT ON WORKER_NODE {each}": "PostgreSQL",

		"CREATE TRIGGER no BEFORE INSERT ON uid_lease BEGIN SELECT RAISE(IGNORE); END": "SQLite",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			e := among(t, dialect).inited()
			e.exec(strings.Replace(how, "{each}", "FOR EACH ROW EXECUTE FUNCTION no()", 1))
			var log lines
			ctx, cancel := context.WithCancel(t.Context())
			start := worker.Leased(e.Store, worker.Claim{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if strings.Contains(how, "WORKER_NODE") {
				start = worker.Disposable(e.Store)
			}
			end := make(chan error, 1)
			go func() {
				_, err := start.Assign(ctx, needOfTests)
				end <- err
			}()
			if strings.Contains(how, "TRIGGER") && strings.Contains(how, "uid_lease ") { // it may go
				log.has(t, "trigger") // the error may be of a later call, which cancel ended
				cancel()
				require.Error(t, <-end)
				return
			}
			err := <-end
			cancel()
			require.Error(t, err)
			assert.Regexp(t, "trigger,? (or )?rule", err.Error())
		})
	}
}
