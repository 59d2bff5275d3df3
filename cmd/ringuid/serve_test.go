package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/internal/testserver"
)

// A client is a program that takes ids with the client of its language.
var clients = []struct {
	name, program, file, install string
	workers                      []string // whose names stand before their ids
}{
	{"php-redis", "php", "take.php", "apt-get install php-cli php-redis", []string{"php0", "php1",
		"php2", "php3", "php4", "php5", "php6", "php7"}},
	{"python3-redis", "/usr/bin/python3", "take.py", "apt-get install python3-redis",
		[]string{"python"}},
	{"node-redis", "node", "take.js", "apt-get install node-redis", []string{"node"}},
}

// loads is what a program runs to see whether its client is there.
var loads = map[string][]string{"php": {"-r", "exit(class_exists('Redis') ? 0 : 1);"},
	"/usr/bin/python3": {"-c", "import redis"}, "node": {"-e", "require('redis')"}}

// received are the ids that clients got.
type received struct {
	mu    sync.Mutex
	ids   map[string]string // by whom
	count map[string]int    // since the last reset
	twice []string
}

func (r *received) read(out *bufio.Scanner) {
	for out.Scan() {
		name, id, _ := strings.Cut(out.Text(), " ")
		r.mu.Lock()
		if other, twice := r.ids[id]; twice || len(id) < 15 || strings.Trim(id, "0123456789") != "" {
			r.twice = append(r.twice, fmt.Sprint(id, " of ", name, " and ", other))
		}
		r.ids[id] = name
		r.count[name]++
		r.mu.Unlock()
	}
}

// await waits until all have got some hundred ids more.
func (r *received) await(t *testing.T, workers []string) {
	t.Helper()
	r.mu.Lock()
	clear(r.count)
	r.mu.Unlock()
	require.Eventually(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, name := range workers {
			if r.count[name] < 300 {
				return false
			}
		}
		return true
	}, 3*time.Minute, 10*time.Millisecond, "a client gets no ids")
}

// Each id that a client got is unique, also when the server was killed and started again.
func TestClientsOfOtherLanguagesWhileTheServerIsKilled(t *testing.T) {
	t.Setenv("NODE_PATH", "/usr/share/nodejs")
	dir := t.TempDir()
	socket, stop := filepath.Join(dir, "s"), filepath.Join(dir, "stop")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "db"), nil, 0o600))
	begin := func() *child.Process {
		cmd := exec.Command("ringuid", "serve", "--store", "sqlite:"+filepath.Join(dir, "db"),
			"--resp", "unix:"+socket)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		p, err := child.Start(cmd)
		require.NoError(t, err)
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "RESP on unix:"+socket+"\n", line)
		return p
	}
	server := begin()
	r := &received{ids: map[string]string{}, count: map[string]int{}}
	var workers []string
	var programs sync.WaitGroup
	for _, c := range clients {
		if exec.Command(c.program, loads[c.program]...).Run() != nil {
			t.Run(c.name, func(t *testing.T) { testserver.Missing(t, c.name, c.install) })
			continue
		}
		cmd := exec.Command(c.program, filepath.Join("testdata", "clients", c.file), socket, stop)
		cmd.Stderr = os.Stderr
		out, in := io.Pipe()
		cmd.Stdout = in
		p, err := child.Start(cmd)
		require.NoError(t, err)
		programs.Go(func() {
			<-p.Ended
			assert.NoError(t, p.Err, c.name)
			in.Close()
		})
		programs.Go(func() { r.read(bufio.NewScanner(out)) })
		workers = append(workers, c.workers...)
	}
	r.await(t, workers)
	out, err := exec.Command("redis-cli", "-s", socket, "LPOP", "ids", "100").Output()
	require.NoError(t, err)
	cli := strings.Fields(string(out))
	assert.Len(t, cli, 100)
	assert.True(t, slices.IsSorted(cli), "they increase, and are of one length")
	r.read(bufio.NewScanner(strings.NewReader("cli " + strings.Join(cli, "\ncli "))))
	for range 2 {
		server.Kill()
		server = begin()
		r.await(t, workers)
	}
	require.NoError(t, os.WriteFile(stop, nil, 0o600))
	programs.Wait()
	assert.Empty(t, r.twice)
	server.Kill()
}

// What the examples' files type is what the command knows.
func TestTheExamplesOfServe(t *testing.T) {
	unit, err := os.ReadFile("../../examples/serve/ringuid.service")
	require.NoError(t, err)
	pod, err := os.ReadFile("../../examples/serve/sidecar.yaml")
	require.NoError(t, err)
	typed := regexp.MustCompile(`(?s)ExecStart=\S+/ringuid ([^\n]*)|\n +args: \[(.*?)\]`)
	found := typed.FindAllStringSubmatch(string(unit)+string(pod), -1)
	require.Len(t, found, 2)
	for _, m := range found {
		words := strings.FieldsFunc(m[1]+m[2], func(r rune) bool {
			return strings.ContainsRune(" ,\"\n", r)
		})
		cmd, rest, err := newRoot().Find(words)
		require.NoError(t, err)
		assert.Equal(t, "serve", cmd.Name())
		assert.NoError(t, cmd.ParseFlags(rest), "%q", rest)
		assert.Empty(t, cmd.Flags().Args())
	}
}
