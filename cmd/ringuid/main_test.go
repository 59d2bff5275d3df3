package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/clitest"
	"github.com/ringuid/ringuid/internal/testserver"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ringuid": main,
		"service": service,
		"herd":    herd,
	})
}

var scripts = clitest.Command{Name: "ringuid", Run: run}

// typed runs a command, and returns how it exits and all that it prints.
func typed(t *testing.T, args ...string) (code int, text string) {
	var out bytes.Buffer
	code = run(t.Context(), args, &out, &out)
	return code, out.String()
}

func TestCommands(t *testing.T) {
	scripts.RunFolder(t, "testdata/script", map[string]string{"STORE": "sqlite:$WORK/lease.db"})
}

func TestScriptsWithMariaDB(t *testing.T) {
	t.Parallel()
	db := testserver.MariaDB(t, testserver.Durable())
	scripts.RunFolder(t, "testdata/server", map[string]string{"STORE": database(t, "mysql", db),
		"ADDR": db.Addr()})
	scripts.RunFolder(t, "testdata/mariadb", map[string]string{
		"ADDR": db.Addr(), "FORGETFUL": testserver.MariaDB(t).URL(),
	})
	runLeaseScripts(t, db)
}

func TestScriptsWithPostgreSQL(t *testing.T) {
	t.Parallel()
	db := testserver.Postgres(t, testserver.Durable())
	scripts.RunFolder(t, "testdata/server", map[string]string{"STORE": database(t, "pgx", db),
		"ADDR": db.Addr()})
	runLeaseScripts(t, db)
}

// database makes one for WORKER_NODE, whose keys no recycled worker id may have, and returns
// its URL.
func database(t *testing.T, driver string, s *testserver.Server) string {
	opened(t, driver, s.DSN())(t, "CREATE DATABASE nodes")
	return s.URL()[:strings.LastIndex(s.URL(), "/")] + "/nodes"
}

func TestScriptsWithRedis(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.Redis(t, testserver.Durable()))
	password := testserver.Args("--requirepass", "hunter2")
	for dir, r := range map[string]*testserver.Server{"redis": testserver.Redis(t, password),
		"secret": testserver.Redis(t, testserver.Durable(), password)} {
		scripts.RunFolder(t, "testdata/"+dir, map[string]string{
			"STORE": "redis://:hunter2@" + r.Addr(), "ADDR": r.Addr()})
	}
}

func TestScriptsWithZooKeeper(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.ZooKeeper(t, testserver.Durable()))
}

func TestScriptsWithEtcd(t *testing.T) {
	t.Parallel()
	runLeaseScripts(t, testserver.Etcd(t, testserver.Durable()))
}

func TestScriptsWithKubernetes(t *testing.T) {
	server := testserver.Kubernetes(t, []string{testserver.Etcd(t, testserver.Durable()).Addr()})
	file := filepath.Join(t.TempDir(), "kubeconfig")
	config := server.Kubeconfig(testserver.KubernetesAdmin)
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	t.Setenv("KUBECONFIG", file)
	scripts.RunFolder(t, "testdata/lease", map[string]string{"STORE": "k8s:kube-system?name=orders",
		"KUBECONFIG": file})
}

func TestScriptsWithThreeServers(t *testing.T) {
	t.Parallel()
	c := testserver.EtcdCluster(t, 3)
	c[0].Kill() // a list of servers is for when one is not there
	scripts.RunFolder(t, "testdata/cluster", map[string]string{"STORE": c.URL()})
}

func TestScriptsWithSQLite(t *testing.T) {
	t.Parallel()
	// A file for each script: locked for long, it fails who cannot wait.
	scripts.RunFolder(t, "testdata/lease", map[string]string{"STORE": "sqlite:$WORK/lease.db"})
}

func runLeaseScripts(t *testing.T, s *testserver.Server) {
	scripts.RunFolder(t, "testdata/lease", map[string]string{"STORE": s.URL()})
}
