package stores

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
)

// Wherever a password stands in a URL that somebody may type, right or wrong, it
// is in no error and not in the name.
func TestPasswordsAreNotShown(t *testing.T) {
	const password = "hunter2"
	for _, raw := range []string{
		"mysql://uid:hunter2@db/uid",
		"mysql://uid:hunter2@db:3306/uid?timeout=1s",
		"mysql://uid:hunter2@db:port/uid",
		"mysql://uid:hunter2@db:3306",
		"mysql://uid:hunter2@db:3306/uid?timeout=hunter2",
		"mysql://uid:hunter2/x@db/uid",
		"mysql://uid:1#hunter2@db/uid",
		"mysql://uid:1/hunter2@db/uid",
		"mysql://uid:1?hunter2@db/uid",
		"mysql://uid:%zzhunter2@db/uid",
		"mysql:uid:hunter2@db/uid",
		"postgres://uid:hunter2@db/uid",
		"postgres://uid@db/uid?password=hunter2",
		"postgres://uid@db/uid?sslmode=hunter2&password=hunter2",
		"postgres://uid:hunter2@db/uid?sslmode=nonsense",
		"postgres://uid:hunter2@db:nonsense/uid",
		"redis://:hunter2@db/0",
		"redis://:hunter2@db/zero",
		"rediss://uid:hunter2@db:6379/0?nonsense=hunter2",
		"zk://uid:hunter2@db?nonsense=1",
		"etcd://uid:1?hunter2@db/path",
		"redis://uid:1?hunter2@db/0",
		"redis://:hunter2@a,b/0?min_replicas=hunter2",
		"etcd://uid:hunter2@db:port/path",
		"etcd://uid:1/hunter2@db/path",
		"s3://uid:hunter2@ids/uid?region=eu",
		"s3://ids/uid?region=eu&endpoint=https://uid:hunter2@db",
		"mssql://uid:hunter2@db/uid",
		"hunter2",
	} {
		s, err := storeurl.Open(raw, "")
		if err != nil {
			assert.NotContains(t, storeurl.Redact(err.Error()), password, raw)
			assert.True(t, storeurl.Typed(err), raw)
			continue
		}
		assert.NotContains(t, s.Name, password, raw)
		assert.NoError(t, s.Close())
	}
}
