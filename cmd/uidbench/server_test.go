package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
)

// Uidbench measures a real server, which has a password.
func TestCommandsWithAServer(t *testing.T) {
	dir := t.TempDir() + "/"
	build, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir,
		"github.com/ringuid/ringuid/cmd/ringuid").
		CombinedOutput()
	require.NoError(t, err, string(build))
	t.Chdir(dir)
	for name, text := range map[string]string{"password": "secret\n", "db": ""} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	cmd := exec.Command("./ringuid", "serve", "--store", "sqlite:db", "--resp", "127.0.0.1:0",
		"--http", "127.0.0.1:0", "--client-password-file", "password")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	server, err := child.Start(cmd)
	require.NoError(t, err)
	defer server.Kill()
	var addresses []string
	for lines := bufio.NewScanner(out); len(addresses) < 2 && lines.Scan(); {
		addresses = append(addresses, lines.Text()[len("RESP on "):])
	}
	require.Len(t, addresses, 2)
	for scheme, address := range map[string]string{"redis": addresses[0], "http": addresses[1]} {
		for _, c := range []struct{ url, flag, want string }{
			{scheme + "://:secret@" + address, "--batch=100", `"duplicates": 0`},
			{scheme + "://:secret@" + address, "--rate=2000", `"order_violations": 0`},
			{scheme + "://:wrong@" + address, "-q", "the server answered (-WRONGPASS|401)"},
			{scheme + "://" + address, "-q", "the server answered (-NOAUTH|401)"},
			{"redis://" + addresses[1], "-q", "it speaks HTTP: type http://HOST:PORT"},
		} {
			text, err := exec.Command("uidbench", "-q", "--goroutines=8", "--count=6000", "--verify",
				"--format=json", "--server", c.url, c.flag).CombinedOutput()
			assert.Regexp(t, c.want, string(text))
			assert.Equal(t, strings.HasPrefix(c.want, `"`), err == nil, "%s %s", c.flag, text)
			assert.NotContains(t, string(text), "wrong@")
		}
	}
}
