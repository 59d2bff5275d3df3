package storeurl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSecretsAreReplaced(t *testing.T) {
	typed := []string{"run", "--store=mysql://uid:p%40ss%2Fw%22rd@db/uid?passphrase=other", "bad:%zz"}
	Hide(typed...)
	out := Redact(
		`cannot log in as uid with p@ss/w"rd, p%40ss%2Fw%22rd, p@ss/w\"rd, p@ss/w&#34;rd or other`)
	assert.Equal(t, "cannot log in as uid with ***, ***, ***, *** or ***", out)
	assert.Equal(t, "as it is", Redact("as it is"))
	Hide("mysql://uid:i@db/uid")
	assert.Equal(t, `as it is: uid:***@db, password=***, "***"`,
		Redact(`as it is: uid:i@db, password=i, "i"`))
}

func TestPasswordsFromElsewhereAreNotShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(file, []byte("of a file\n"), 0o600))
	t.Setenv("RINGUID_STORE_PASSWORD", "of the environment")
	t.Setenv("RINGUID_STORE", "postgres://:of-a-url@db/uid")
	for _, f := range []Flags{{URL: "postgres://db/uid"}, {URL: "postgres://db/uid", file: file}, {}} {
		require.NoError(t, f.Demand())
		s, err := f.Open()
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	assert.Equal(t, "***, ***, ***", Redact("of the environment, of a file, of-a-url"))
}
