package docs

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/child"
	"github.com/ringuid/ringuid/internal/testserver"
)

// blob reads what an OCI layout has by this digest.
func (n newcomer) blob(layout, digest string, v any) {
	text, err := os.ReadFile(filepath.Join(layout, "blobs", strings.ReplaceAll(digest, ":", "/")))
	require.NoError(n.t, err)
	require.NoError(n.t, json.Unmarshal(text, v))
}

// image is what runs in the image that docker makes of a folder with a Dockerfile.
func (n newcomer) image(dockerfile string) exec.Cmd {
	n.writes("Dockerfile", dockerfile)
	layout, root, user := n.layout("linux/"+runtime.GOARCH), n.t.TempDir(), new(syscall.Credential)
	type blob struct{ Digest string }
	var index struct{ Manifests []blob }
	text, err := os.ReadFile(filepath.Join(layout, "index.json"))
	require.NoError(n.t, err)
	require.NoError(n.t, json.Unmarshal(text, &index))
	var manifest struct {
		Config blob
		Layers []blob
	}
	n.blob(layout, index.Manifests[0].Digest, &manifest)
	var image struct {
		Config struct {
			User, WorkingDir string
			Entrypoint, Cmd  []string
		}
	}
	n.blob(layout, manifest.Config.Digest, &image)
	for _, layer := range manifest.Layers {
		name := strings.ReplaceAll(layer.Digest, ":", "/")
		n.runs("tar -C " + root + " -xf " + filepath.Join(layout, "blobs", name))
	}
	if image.Config.User != "" { // a number, as Kubernetes' runAsNonRoot wants it
		_, err = fmt.Sscan(image.Config.User, &user.Uid)
		require.NoError(n.t, err)
	}
	command := append(image.Config.Entrypoint, image.Config.Cmd...)
	return exec.Cmd{Path: command[0], Args: command, Dir: cmp.Or(image.Config.WorkingDir, "/"),
		SysProcAttr: &syscall.SysProcAttr{Chroot: root, Credential: user}}
}

func run(t *testing.T, c exec.Cmd, env []string) *child.Process {
	t.Helper()
	c.Env, c.Stderr = env, t.Output()
	p, err := child.Start(&c)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

// store starts what a page is for, and returns its URL and what the program has to be told.
func (n newcomer) store(p page, root string) (url string, env []string) {
	var s *testserver.Server
	switch p.name {
	case "docs/start/sqlite.md":
		return "sqlite:" + filepath.Join(root, "data/worker.db"), nil
	case "docs/start/kubernetes.md":
		return n.cluster(p.block("yaml"), root)
	case "docs/start/postgresql.md":
		s = testserver.Postgres(n.t, testserver.Durable())
		env = []string{"DATABASE_URL=" + s.DSN()}
	case "docs/start/mysql.md":
		s = testserver.MariaDB(n.t, testserver.Durable())
		env = []string{"MYSQL_DSN=" + s.DSN()}
	case "docs/start/redis.md":
		s = testserver.Redis(n.t, testserver.Durable())
		env = []string{"REDIS_URL=" + s.URL()}
	default:
		s = testserver.S3(n.t)
		env = []string{"BUCKET=" + testserver.S3Bucket, "AWS_ENDPOINT_URL_S3=" + s.DSN(),
			"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=" + testserver.S3Key,
			"AWS_SECRET_ACCESS_KEY=" + testserver.S3Secret}
	}
	return s.URL(), env
}

// cluster has kubectl apply the manifest, and puts into the image what its pods would see.
func (n newcomer) cluster(manifest, root string) (url string, env []string) {
	kubectl := testserver.Kubectl(n.t)
	s := testserver.Kubernetes(n.t, []string{testserver.Etcd(n.t, testserver.Durable()).Addr()})
	n.writes("config", s.Kubeconfig(testserver.KubernetesAdmin))
	n.writes("shop.yaml", manifest)
	env = []string{"KUBECONFIG=" + filepath.Join(n.dir, "config")}
	n.env = append(n.env, env...)
	n.runs(kubectl + " create namespace shop")
	n.runs(kubectl + " apply -n shop -f shop.yaml")
	account := n.runs(kubectl + " get -n shop serviceaccount shop -o jsonpath={.metadata.uid}")
	c, err := tls.Dial("tcp", s.Addr(), &tls.Config{InsecureSkipVerify: true})
	require.NoError(n.t, err)
	defer c.Close()
	own := c.ConnectionState().PeerCertificates[0].Raw
	n.dir = filepath.Join(root, "var/run/secrets/kubernetes.io/serviceaccount")
	require.NoError(n.t, os.MkdirAll(n.dir, 0o755))
	n.writes("ca.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own})))
	n.writes("token", s.ServiceAccountToken("system:serviceaccount:shop:shop", map[string]any{
		"namespace": "shop", "serviceaccount": map[string]any{"name": "shop", "uid": account},
	}, time.Now().Add(time.Hour)))
	host, port, err := net.SplitHostPort(s.Addr())
	require.NoError(n.t, err)
	return "k8s:shop", append(env, "KUBERNETES_SERVICE_HOST="+host, "KUBERNETES_SERVICE_PORT="+port)
}

// get asks until the program listens, and fails if that ends.
func get(t *testing.T, p *child.Process, url string) string {
	t.Helper()
	for {
		if answer, err := http.Get(url); err == nil {
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, answer.StatusCode, string(text))
			return string(text)
		}
		select {
		case <-p.Ended:
			t.Fatal("it ended: ", p.Err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// serves takes an id from a server's program in each of two lives.
func serves(t *testing.T, c exec.Cmd, env []string) (ids []string) {
	port := strconv.Itoa(testserver.Port(t))
	for range 2 {
		p := run(t, c, append(env, "PORT="+port))
		ids = append(ids, get(t, p, "http://127.0.0.1:"+port+"/id"))
		assert.Empty(t, get(t, p, "http://127.0.0.1:"+port+"/readyz"))
		require.NoError(t, p.Cmd.Process.Signal(syscall.SIGTERM))
		<-p.Ended
		assert.NoError(t, p.Err)
	}
	return ids
}

// handles has a function's program answer two calls, as AWS Lambda has it.
func handles(t *testing.T, c exec.Cmd, env []string) (ids []string) {
	answered := make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost: // an id, in quotes so that no program rounds it
			text, _ := io.ReadAll(r.Body)
			id, _ := strconv.Unquote(string(text))
			ids = append(ids, id+"\n")
			w.WriteHeader(http.StatusAccepted)
		case len(ids) == 2:
			close(answered)
			<-r.Context().Done()
		default:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "7")
			deadline := time.Now().Add(time.Minute).UnixMilli()
			w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(deadline, 10))
			_, _ = io.WriteString(w, "{}")
		}
	}))
	defer api.Close()
	p := run(t, c, append(env, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(api.URL, "http://")))
	defer p.Kill()
	select {
	case <-answered:
	case <-p.Ended:
		t.Fatal("it ended: ", p.Err)
	}
	return ids
}

// start follows a page of docs/start, and runs its program where it is to run.
func start(t *testing.T, name string) {
	if os.Geteuid() != 0 {
		testserver.Missing(t, "root", "only root may run a program in an image")
	}
	env, _ := published(t)
	n, p := newcomer{t, t.TempDir(), env}, readPage(t, "docs/start/"+name)
	n.follows(p.text)
	assert.LessOrEqual(t, strings.Count(p.block("dockerfile"), "\n"), 4)
	c := n.image(p.block("dockerfile"))
	url, settings := n.store(p, c.SysProcAttr.Chroot)
	does, left := serves, ": 0 held, 0 expired, "
	if name == "lambda.md" { // which is ended without a word
		does, left = handles, ": 1 held, 0 expired, "
	}
	ids := does(t, c, settings)
	assert.NotEqual(t, ids[0], ids[1])
	for _, id := range ids {
		assert.Regexp(t, anID, id)
	}
	n = newcomer{t, root, append(os.Environ(), settings...)}
	assert.Contains(t, n.runs("go run ./cmd/ringuid worker list --store "+url), left)
}

// An API server is what make test-kubernetes builds.
func TestStartOnKubernetes(t *testing.T) { start(t, "kubernetes.md") }

func TestStartPages(t *testing.T) {
	files, err := os.ReadDir(filepath.Join(root, "docs/start"))
	require.NoError(t, err)
	for _, file := range files {
		if file.Name() != "kubernetes.md" && !strings.HasPrefix(file.Name(), "baidu.") {
			t.Run(file.Name(), func(t *testing.T) { start(t, file.Name()) })
		}
	}
}
