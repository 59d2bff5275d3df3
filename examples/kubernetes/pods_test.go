package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
)

// nodes are what a cluster has and an API server does not: they see how many pods the
// Deployment wants, and run each as a process with a token of its own.
type nodes struct {
	t                            *testing.T
	server                       *testserver.Server
	kubectl, kubeconfig, service string // files
	pods                         []*pod
	ids                          []uid.ID
}

type pod struct {
	cmd  *exec.Cmd
	addr string
}

// configure writes a kubeconfig for kubectl, or for the service.
func (n *nodes) configure(file, token string) string {
	n.t.Helper()
	file = filepath.Join(filepath.Dir(n.service), file)
	require.NoError(n.t, os.WriteFile(file, []byte(n.server.Kubeconfig(token)), 0o600))
	return file
}

// types runs a line of the page in the repository's folder.
func (n *nodes) types(line string) string {
	n.t.Helper()
	words := strings.Fields(line)
	require.Equal(n.t, "kubectl", words[0], line)
	c := exec.Command(n.kubectl, words[1:]...)
	c.Dir = "../.."
	c.Env = append(os.Environ(), "KUBECONFIG="+n.kubeconfig, "HOME="+filepath.Dir(n.service))
	out, err := c.CombinedOutput()
	require.NoError(n.t, err, "%s\n%s", line, out)
	return string(out)
}

// reconcile starts or ends as many pods as the Deployment's number differs by, and returns
// how long each new one took to its first id.
func (n *nodes) reconcile() (took []time.Duration) {
	n.t.Helper()
	text := n.types("kubectl get deployments -o jsonpath={.items[*].spec.replicas}")
	want, _ := strconv.Atoi(strings.TrimSpace(text)) // none before there is a Deployment
	for _, p := range n.pods[min(want, len(n.pods)):] {
		require.NoError(n.t, p.cmd.Process.Signal(syscall.SIGTERM))
		assert.NoError(n.t, p.cmd.Wait(), "it ends in good order")
	}
	n.pods = n.pods[:min(want, len(n.pods))]
	started := n.create(len(n.pods), want)
	pods, ids := make([]*pod, len(started)), make([]uid.ID, len(started))
	took = make([]time.Duration, len(started))
	var all sync.WaitGroup
	for i, c := range started {
		all.Go(func() { pods[i], ids[i], took[i] = n.run(c) })
	}
	all.Wait()
	n.pods, n.ids = append(n.pods, pods...), append(n.ids, ids...)
	return took
}

// create makes pods in the API server, and the commands that are their containers.
func (n *nodes) create(first, end int) (containers []*exec.Cmd) {
	n.t.Helper()
	if first >= end {
		return nil
	}
	var pods strings.Builder
	for i := first; i < end; i++ {
		fmt.Fprintf(&pods, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "orders-%d"},
"spec": {"serviceAccountName": "orders", "containers": [{"name": "orders", "image": "orders:1"}]}}
`, i)
	}
	file := filepath.Join(filepath.Dir(n.service), "pods.json")
	require.NoError(n.t, os.WriteFile(file, []byte(pods.String()), 0o600))
	const uid = ` -o jsonpath={.metadata.uid}{"\n"}`
	account := strings.TrimSpace(n.types("kubectl get serviceaccount orders" + uid))
	for i, made := range strings.Fields(n.types("kubectl create -f " + file + uid)) {
		name := fmt.Sprint("orders-", first+i)
		token := n.server.ServiceAccountToken("system:serviceaccount:shop:orders", map[string]any{
			"namespace":      "shop",
			"serviceaccount": map[string]any{"name": "orders", "uid": account},
			"pod":            map[string]any{"name": name, "uid": made},
		}, time.Now().Add(time.Hour))
		c := exec.Command(n.service, "-listen", "127.0.0.1:0", "-kubeconfig",
			n.configure(name, token))
		c.Env = append(os.Environ(), asService+"=yes")
		containers = append(containers, c)
	}
	require.Len(n.t, containers, end-first)
	return containers
}

// run starts a pod and takes its first id. One that a busy API server did not answer in time
// ends, and is started again, as a kubelet does.
func (n *nodes) run(c *exec.Cmd) (*pod, uid.ID, time.Duration) {
	const most = 5
	began := time.Now()
	for restarts := 0; ; restarts++ {
		p, id, ended := n.start(c)
		if ended == nil {
			return p, id, time.Since(began)
		}
		n.t.Logf("%s: %v", c.Args, ended)
		late := strings.Contains(ended.Error(), context.DeadlineExceeded.Error())
		if !assert.True(n.t, late, "no pod ends for another reason: %v", ended) ||
			!assert.Less(n.t, restarts, most, "a pod does not start") {
			return p, 0, 0
		}
		again := exec.Command(c.Path, c.Args[1:]...)
		again.Env = c.Env
		c = again
	}
}

// start is one start of a pod; ended is why it was over before there was an id.
func (n *nodes) start(c *exec.Cmd) (p *pod, id uid.ID, ended error) {
	p = &pod{cmd: c}
	said, err := c.StderrPipe()
	if !assert.NoError(n.t, err) || !assert.NoError(n.t, c.Start()) {
		return p, 0, nil
	}
	n.t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	if err != nil {
		return p, 0, fmt.Errorf("it ended: %s", line)
	}
	p.addr = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	answer, err := http.Get("http://" + p.addr + "/id") // it answers when it has a worker id
	if err != nil {
		rest, _ := io.ReadAll(lines)
		return p, 0, fmt.Errorf("it ended: %s", rest)
	}
	go io.Copy(io.Discard, lines)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	assert.NoError(n.t, err)
	id, err = uid.ParseID(strings.TrimSpace(string(text)))
	assert.NoError(n.t, err, "%s", text)
	return p, id, nil
}

// holders are the pods that `kubectl get leases` shows.
func holders(table string) (names []string) {
	lease := regexp.MustCompile(`(?m)^ringuid\S* +(orders-\d+) `)
	for _, m := range lease.FindAllStringSubmatch(table, -1) {
		names = append(names, m[1])
	}
	return names
}

// The page's commands, from a cluster with nothing in it.
func TestFromNothingToFiftyPods(t *testing.T) {
	kubectl := testserver.Kubectl(t)
	folder := t.TempDir()
	server := testserver.Kubernetes(t, []string{testserver.Etcd(t, testserver.Durable()).Addr()})
	n := &nodes{t: t, server: server, kubectl: kubectl, service: filepath.Join(folder, "orders")}
	// Without the race detector.
	out, err := exec.Command("go", "test", "-c", "-ldflags=-w", "-o", n.service, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	n.kubeconfig = n.configure("admin", testserver.KubernetesAdmin)

	_, page, found := strings.Cut(read(t, "README.md"), "## From nothing to fifty pods\n")
	require.True(t, found)
	_, block, _ := strings.Cut(page, "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	var leases string
	most := 0
	for line := range strings.Lines(block) {
		shown := n.types(line)
		if strings.Contains(line, "get leases") {
			leases = shown
		}
		if took := n.reconcile(); len(took) > 0 {
			slices.Sort(took)
			t.Logf("%s: %d pods, first ids after %v in the middle, %v at most",
				strings.TrimSpace(line), len(took), took[len(took)/2], took[len(took)-1])
		}
		most = max(most, len(n.pods))
	}
	assert.Equal(t, 50, most)
	// A write whose answer was lost on a busy machine may leave a pod a second one, which
	// nobody gives back.
	names, twice := holders(leases), []string{}
	slices.Sort(names)
	for i, name := range names[1:] {
		if name == names[i] {
			twice = append(twice, name)
		}
	}
	assert.Len(t, slices.Compact(names), 50, "each has one: %s", leases)

	slices.Sort(n.ids)
	assert.Len(t, n.ids, 50)
	assert.Len(t, slices.Compact(n.ids), 50, "no id twice")
	workers := map[int64]bool{}
	for _, id := range n.ids {
		parts, err := uid.SnowflakeLayout().Parse(id)
		require.NoError(t, err)
		workers[parts.Worker] = true
	}
	assert.Len(t, workers, 50, "no worker id twice")

	require.Len(t, n.pods, 1)
	left := holders(n.types("kubectl get leases -l app.kubernetes.io/managed-by=ringuid"))
	left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(twice, name) })
	assert.LessOrEqual(t, len(left), 1, "the others gave theirs back")
	for path, says := range map[string]string{"livez": "", "readyz": "",
		"metrics": `generator="orders"`} {
		answer, err := http.Get("http://" + n.pods[0].addr + "/" + path)
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, http.StatusOK, answer.StatusCode, path)
		assert.Contains(t, string(text), says)
	}
	n.types("kubectl delete -f examples/kubernetes/deployment.yaml")
	n.types("kubectl apply -f examples/kubernetes/statefulset.yaml")
	n.types("kubectl apply --dry-run=server -f examples/serve/sidecar.yaml")
	http.DefaultClient.CloseIdleConnections()
}
