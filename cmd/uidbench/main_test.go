package main

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ringuid/ringuid/cmd/internal/clitest"
	"github.com/ringuid/ringuid/internal/race"
	"github.com/ringuid/ringuid/internal/testserver"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uidbench": func() {
		clitest.NameMachine()
		main()
	}})
}

// The race detector makes each start slow; what runs at the same time in it is in package bench.
// Scripts whose output names the machine hold whatever its names are.
func TestCommands(t *testing.T) {
	race.Skip(t)
	clitest.RunFolder(t, "testdata/script", nil)
	for name, given := range map[string]string{
		"short names": "1/h/i9+",
		"long names":  "64/" + strings.Repeat("h", 63) + "/" + strings.Repeat("Some CPU 7", 6),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clitest.Run(t, map[string]string{clitest.GivenMachine: given},
				"testdata/script/pictures.txtar")
		})
	}
}

func TestScriptsWithServers(t *testing.T) {
	t.Parallel()
	mariaDB := testserver.MariaDB(t, testserver.Durable())
	clitest.RunFolder(t, "testdata/server", map[string]string{"STORE": mariaDB.URL(),
		"ADDR": mariaDB.Addr(), "FORGETFUL": testserver.MariaDB(t).URL(),
		"POSTGRES": testserver.Postgres(t, testserver.Durable()).URL()})
}
