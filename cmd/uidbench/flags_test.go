package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestAmounts(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "1000000": 1e6, "1_000_000": 1e6, "1e6": 1e6, "1M": 1e6, "1.5k": 1500, "2G": 2e9,
		"3T": 3e12,
	} {
		var v float64
		require.NoError(t, amount{&v, true}.Set(s), s)
		assert.InDelta(t, want, v, 0, s)
	}
	var v float64
	require.NoError(t, amount{&v, false}.Set("0.5"))
	assert.InDelta(t, 0.5, v, 0)
	for _, s := range []string{"", "0", "-1", "k", "1.5", "1e400", "NaN", "Inf", "1X", "1e17", "1 M"} {
		assert.ErrorIs(t, amount{&v, true}.Set(s), errAmount, s)
	}
}

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
		"zk://uid:hunter2@db",
		"etcd://uid:hunter2@db:port/path",
		"etcd://uid:1/hunter2@db/path",
		"mssql://uid:hunter2@db/uid",
		"hunter2",
	} {
		s, err := openStore(raw)
		if err != nil {
			assert.NotContains(t, secretsOf(raw).Replace(err.Error()), password, raw)
			assert.True(t, isUsage(err), raw)
			continue
		}
		assert.NotContains(t, s.name, password, raw)
		assert.NoError(t, s.close())
	}
}

func TestSecretsAreReplaced(t *testing.T) {
	typed := []string{"run", "--store=mysql://uid:p%40ss%2Fw%22rd@db/uid?passphrase=other", "bad:%zz"}
	var out bytes.Buffer
	_, err := redacting{&out, secretsOf(typed...)}.Write([]byte(
		`cannot log in as uid with p@ss/w"rd, p%40ss%2Fw%22rd, p@ss/w\"rd, p@ss/w&#34;rd or other`))
	require.NoError(t, err)
	assert.Equal(t, "cannot log in as uid with ***, ***, ***, *** or ***", out.String())
	assert.Equal(t, "as it is", secretsOf("run", "sqlite:file").Replace("as it is"))
}

func TestProgressOffATerminalIsALineNowAndThen(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.show(bench.Progress{Part: 0.1})
	p.end()
	assert.Empty(t, out.String(), "too early")

	p = &progress{w: &out}
	p.show(bench.Progress{Rate: 1e6, Part: 0.25, Left: time.Minute})
	assert.Equal(t, " 25 %: 1 M/s, 1m0s left\n", out.String())
}

func TestProgressOnATerminalIsGoneAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, terminal: true}
	p.show(bench.Progress{Rate: 1e6})
	p.show(bench.Progress{Rate: 2e6})
	p.end()
	assert.Equal(t, clearLine+"1 M/s"+clearLine+"2 M/s"+clearLine, out.String())
}
