package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/testserver"
)

// shown matches a command that names a store, on one line.
var shown = regexp.MustCompile(`(ringuid|uidbench)( [^|#]*)? --store '?[a-z0-9]+:[^|#]*`)

// commandsShown returns the commands that match and that helps and pages show, each once.
func commandsShown(t *testing.T, shown *regexp.Regexp) (all [][]string) {
	t.Helper()
	texts := []string{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		texts = append(texts, strings.Split(c.Example, "\n")...)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	for _, glob := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*/*.md"} {
		files, err := filepath.Glob(filepath.Join("../..", glob))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for i, part := range strings.Split(string(text), "```") {
				if i%2 == 1 { // code: a command is a line
					texts = append(texts, strings.Split(strings.ReplaceAll(part, "\\\n", " "), "\n")...)
					continue
				}
				for _, span := range strings.Split(part, "`") {
					texts = append(texts, strings.Join(strings.Fields(span), " "))
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, text := range texts {
		found := shown.FindString(text)
		if found == "" || seen[found] {
			continue
		}
		seen[found] = true
		args := strings.Fields(strings.ReplaceAll(found, "'", ""))
		if args[0] == "uidbench" { // whose URL is tried here
			args = []string{args[0], "worker", "list", "--store", args[slices.Index(args, "--store")+1]}
		}
		all = append(all, args[1:])
	}
	return all
}

// asking matches a whole command that needs no store and no file.
var asking = regexp.MustCompile(`ringuid (decode \d|plan --nodes|sql --dialect|migrate --from \S+ --to)[^|#]*`)

func TestTheQuestionsThatHelpsAndPagesShow(t *testing.T) {
	commands := commandsShown(t, asking)
	assert.Greater(t, len(commands), 7)
	for _, args := range commands {
		code, out := typed(t, args...)
		if args[0] == "migrate" && strings.Contains(out, "not safe: ") {
			continue // an answer, too
		}
		assert.Equal(t, cli.OK, code, "%q: %s", args, out)
	}
}

// What helps and pages show works as it is typed: on an empty place, and on one that has rows.
// Only the hosts are others. A URL without a password gets it from the environment.
func TestTheCommandsThatHelpsAndPagesShow(t *testing.T) {
	t.Setenv("RINGUID_STORE_PASSWORD", "secret")
	mariaDB := testserver.MariaDB(t, testserver.Durable())
	postgres := testserver.Postgres(t, testserver.Durable())
	opened(t, "mysql", mariaDB.DSN())(t, "CREATE DATABASE uid",
		"CREATE USER uid IDENTIFIED BY 'secret'", "GRANT ALL ON uid.* TO uid")
	opened(t, "pgx", postgres.DSN())(t, "CREATE USER uid PASSWORD 'secret'",
		"CREATE DATABASE uid OWNER uid")
	redis := testserver.Redis(t, testserver.Durable()).Addr()
	etcd := testserver.Etcd(t, testserver.Durable()).Addr()
	s3 := testserver.S3(t).Addr()
	t.Setenv("AWS_ACCESS_KEY_ID", testserver.S3Key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", testserver.S3Secret)
	kubeconfig := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(kubeconfig, []byte(`
clusters: [{name: c, cluster: {server: https://localhost:1}}]
contexts: [{name: c, context: {cluster: c, namespace: ours}}]
current-context: c
`), 0o600))
	t.Setenv("KUBECONFIG", kubeconfig)
	parsed := 0
	host := regexp.MustCompile(`(localhost|[a-z]+\.example\.com)(:\d+)?`)
	here := func(url string) string {
		scheme, rest, _ := strings.Cut(url, ":")
		switch scheme {
		case "sqlite":
			return "sqlite:" + filepath.Join(t.TempDir(), rest)
		case "static": // no server
			return ""
		case "s3": // of the server's only region
			region := regexp.MustCompile("region=[a-z0-9-]+")
			return region.ReplaceAllString(url, "region=us-east-1&endpoint=http://"+s3)
		case "k8s": // parsed only: TestScriptsWithKubernetes types the commands, where it is built
			s, err := storeurl.Open(url, "")
			if assert.NoError(t, err, url) {
				assert.Contains(t, s.Place, cmp.Or(rest, "ours"), "the namespace of %s", url)
			}
			parsed++
			return ""
		}
		return host.ReplaceAllString(url, map[string]string{"mysql": mariaDB.Addr(),
			"postgres": postgres.Addr(), "redis": redis, "etcd": etcd}[scheme])
	}
	var commands [][]string
	schemes := map[string]bool{}
	for _, args := range commandsShown(t, shown) {
		i := slices.Index(args, "--store") + 1
		url := here(args[i])
		if url == "" {
			continue
		}
		scheme, rest, _ := strings.Cut(url, "://")
		scheme, _, _ = strings.Cut(scheme, ":")
		schemes[scheme] = true
		if scheme == "etcd" || scheme == "zk" {
			assert.NotContains(t, rest, "/", "%s: a service with zero Options is somewhere else", url)
		}
		args[i] = url
		if args[0] != "worker" || args[1] == "exec" { // the URL is what is tried here
			args = []string{"worker", "list", "--store", url}
		}
		commands = append(commands, args)
	}
	assert.Positive(t, parsed, "k8s is shown")
	assert.Len(t, schemes, 6, "mysql, postgres, redis, etcd, s3 and sqlite are shown")
	repairs := []string{"release", "steal", "quarantine"}
	for _, args := range commands {
		want := cli.OK
		url := args[slices.Index(args, "--store")+1]
		if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
		if slices.Contains(repairs, args[1]) {
			want = exitNothing
		}
		if args[1] == "init" {
			continue
		}
		code, out := typed(t, args...)
		assert.Equal(t, want, code, "%q of an empty place: %s", args, out)
	}
	for _, args := range commands {
		url := args[slices.Index(args, "--store")+1]
		if slices.Contains(repairs, args[1]) {
			typed(t, "worker", "init", "--store", url, "--layout", "41/10/12@1ms", "--workers", "0-63")
		}
		code, out := typed(t, args...)
		assert.Equal(t, cli.OK, code, "%q: %s", args, out)
		if args[1] == "init" {
			typed(t, "worker", "quarantine", "--store", url) // the next one finds it empty, too
		}
	}
}
