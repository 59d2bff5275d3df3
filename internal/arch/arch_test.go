// Package arch holds the tests that keep the house's walls where they are: which
// package may import which, and what a user's build compiles.
package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/ringuid/ringuid/"

// core packages compile nothing but the standard library and this module. What each imports of
// this module is on docs/architecture.md.
var core = []string{"uid", "ringbuffer", "padding", "policy", "worker", "worker/store", "preset",
	"opaque", "typeid", "bwmarrin"}

// stores may import this module, and the client named here: the one that their user has
// already. A database/sql store needs none.
var stores = map[string]string{
	"worker/store":               "",
	"worker/docstore":            "",
	"worker/memstore":            "",
	"worker/sqlstore":            "",
	"worker/redisstore":          "github.com/redis/go-redis/v9",
	"worker/zkstore":             "github.com/go-zookeeper/zk",
	"worker/etcdstore":           "go.etcd.io/etcd", // and the errors of its API
	"worker/k8sstore":            "k8s.io",          // client-go, and what it is made of
	"worker/s3store":             "github.com/aws",  // the SDK, and smithy-go, which it is made of
	"worker/internal/cancelable": "",
	"worker/internal/textstore":  "",
}

// suites are for the stores' tests alone, with whatever these need.
var suites = map[string]bool{
	"worker/storetest":           true,
	"worker/internal/leasetest":  true,
	"worker/internal/servertest": true,

	"worker/sqlstore/integration": true,
}

// pkg is what `go list -json` says of a package.
type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string
	GoFiles    []string

	TestImports, XTestImports []string
}

// list runs `go list`.
func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	fields := "-json=ImportPath,Standard,Imports,GoFiles,TestImports,XTestImports"
	args = append([]string{"list", fields}, args...)
	out, err := exec.Command("go", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	require.NoError(t, err)
	var packages []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if err == io.EOF {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, p)
	}
}

func standardPackages(t *testing.T) map[string]bool {
	t.Helper()
	standard := map[string]bool{}
	for _, p := range list(t, "std") {
		standard[p.ImportPath] = true
	}
	return standard
}

func TestCoreCompilesNoThirdParty(t *testing.T) {
	for _, name := range core {
		for _, p := range list(t, "-deps", module+name) {
			ours := strings.HasPrefix(p.ImportPath, module)
			assert.True(t, p.Standard || ours, "%s compiles %s", name, p.ImportPath)
		}
	}
}

// Go mod tidy writes into a program's go.sum what the packages that it compiles are tested
// with. What is drawn by rapid is tested in internal/properties, and internal/leaks looks
// for goroutines that are left.
func TestCoreIsTestedWithTestifyAlone(t *testing.T) {
	standard := standardPackages(t)
	alone := func(who string, imports []string) {
		for _, dep := range imports {
			ours := strings.HasPrefix(dep, module)
			testify := strings.HasPrefix(dep, "github.com/stretchr/testify/")
			assert.True(t, standard[dep] || ours || testify, "%s imports %s", who, dep)
		}
	}
	tests := []string{"-deps"}
	for _, p := range list(t, "-deps", module+"uid", module+"worker", module+"policy",
		module+"preset") {
		if strings.HasPrefix(p.ImportPath, module) {
			imports := slices.Concat(p.TestImports, p.XTestImports)
			alone("the tests of "+p.ImportPath, imports)
			tests = append(tests, imports...)
		}
	}
	for _, p := range list(t, tests...) {
		if strings.HasPrefix(p.ImportPath, module) {
			alone(p.ImportPath+", which tests import,", p.Imports)
		}
	}
}

func TestEachStoreImportsItsClientAlone(t *testing.T) {
	standard := standardPackages(t)
	for _, p := range list(t, module+"worker/...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		if name == "worker" || suites[name] {
			continue
		}
		client, known := stores[name]
		if !assert.True(t, known, "%s: name its client here", name) {
			continue
		}
		for _, dep := range p.Imports {
			isClient := client != "" && (dep == client || strings.HasPrefix(dep, client+"/"))
			ours := strings.HasPrefix(dep, module)
			assert.True(t, ours || isClient || standard[dep], "%s imports %s", name, dep)
		}
	}
}
