package storeurl

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		"mssql://uid:hunter2@db/uid",
		"hunter2",
	} {
		s, err := Open(raw, "")
		if err != nil {
			assert.NotContains(t, Redact(err.Error()), password, raw)
			assert.True(t, Typed(err), raw)
			continue
		}
		assert.NotContains(t, s.Name, password, raw)
		assert.NoError(t, s.Close())
	}
}

func TestSecretsAreReplaced(t *testing.T) {
	typed := []string{"run", "--store=mysql://uid:p%40ss%2Fw%22rd@db/uid?passphrase=other", "bad:%zz"}
	var out bytes.Buffer
	Hide(typed...)
	_, err := Redacting{&out}.Write([]byte(
		`cannot log in as uid with p@ss/w"rd, p%40ss%2Fw%22rd, p@ss/w\"rd, p@ss/w&#34;rd or other`))
	require.NoError(t, err)
	assert.Equal(t, "cannot log in as uid with ***, ***, ***, *** or ***", out.String())
	assert.Equal(t, "as it is", Redact("as it is"))
}

func TestPasswordsFromElsewhereAreNotShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("of a file\n"), 0o600))
	t.Setenv("RINGUID_STORE_PASSWORD", "of the environment")
	t.Setenv("RINGUID_STORE", "redis://:of-a-url@db/0")
	for _, f := range []Flags{{URL: "redis://db"}, {URL: "redis://db", file: file}, {}} {
		require.NoError(t, f.Demand())
		s, err := f.Open()
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	assert.Equal(t, "***, ***, ***", Redact("of the environment, of a file, of-a-url"))
}
