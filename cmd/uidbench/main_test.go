package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ringuid/ringuid/cmd/internal/clitest"
	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/internal/testserver"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uidbench": main})
}

// The race detector makes each start slow; what runs at the same time in it is in package bench.
func TestCommands(t *testing.T) {
	race.Skip(t)
	clitest.RunFolder(t, "testdata/script", nil)
}

func TestScriptsWithServers(t *testing.T) {
	t.Parallel()
	mariaDB := testserver.MariaDB(t, testserver.Durable())
	clitest.RunFolder(t, "testdata/server", map[string]string{"STORE": mariaDB.URL(),
		"ADDR": mariaDB.Addr(), "FORGETFUL": testserver.MariaDB(t).URL(),
		"POSTGRES": testserver.Postgres(t, testserver.Durable()).URL()})
}
