package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/internal/clitest"
	"github.com/ringuid/ringuid/internal/testserver"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uidbench": main})
}

var scripts = clitest.Command{Name: "uidbench", Run: run}

func TestCommands(t *testing.T) {
	scripts.RunFolder(t, "testdata/script", nil)
}

func TestScriptsWithServers(t *testing.T) {
	t.Parallel()
	mariaDB := testserver.MariaDB(t, testserver.Durable())
	scripts.RunFolder(t, "testdata/server", map[string]string{"STORE": mariaDB.URL(),
		"ADDR": mariaDB.Addr(), "FORGETFUL": testserver.MariaDB(t).URL(),
		"POSTGRES": testserver.Postgres(t, testserver.Durable()).URL()})
}

func TestARunWithoutAnIDMissesARatio(t *testing.T) {
	l, err := parseLimit("ratio>4")
	require.NoError(t, err)
	require.ErrorIs(t, checkLimits([]limit{l}, bench.Report{}), errMissed)
}
