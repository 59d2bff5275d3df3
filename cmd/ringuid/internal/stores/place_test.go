package stores

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/go-zookeeper/zk"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/etcdstore"
	"github.com/ringuid/ringuid/worker/redisstore"
	"github.com/ringuid/ringuid/worker/s3store"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/zkstore"
)

// create has a service create rows for these worker ids.
func create(t *testing.T, s store.Store, workers int64) {
	t.Helper()
	_, err := worker.Init(t.Context(), s, worker.Claim{First: 1, Count: workers}, worker.Need{
		Unit: time.Second, MaxID: 1023, Fingerprint: "a layout"})
	require.NoError(t, err)
}

// sees returns how many rows the store of a URL shows.
func sees(t *testing.T, url, password string) int {
	t.Helper()
	s, err := storeurl.Open(url, password)
	require.NoError(t, err, url)
	defer func() { assert.NoError(t, s.Close()) }()
	v, err := s.Leases.View(t.Context(), store.Pool{Layout: "a layout", Unit: time.Second}, 0, 1023)
	require.NoError(t, err, url)
	return len(v.Rows)
}

func TestAURLNamesThePlaceOfAServiceOnRedis(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Durable(), testserver.Args("--requirepass", "hunter2",
		"--unixsocket", "s.sock"))
	c := redis.NewClient(&redis.Options{Addr: server.Addr(), Password: "hunter2"})
	defer c.Close()
	other := redis.NewClient(&redis.Options{Addr: server.Addr(), Password: "hunter2", DB: 3})
	defer other.Close()
	create(t, redisstore.New(c, redisstore.Options{}), 1)
	create(t, redisstore.New(c, redisstore.Options{Prefix: "orders"}), 2)
	create(t, redisstore.New(other, redisstore.Options{}), 3)
	for url, want := range map[string]int{
		"redis://:hunter2@%s":                           1,
		"redis://:hunter2@%s/":                          1,
		"redis://:hunter2@%s/0?prefix=ringuid":          1,
		"redis://:hunter2@%s/0?prefix=orders":           2,
		"redis://:hunter2@%s?prefix=orders&protocol=2":  2,
		"redis://default:hunter2@%s/3?dial_timeout=10s": 3,
		"redis://:hunter2@%s/0?prefix=none":             0,
		"redis://:hunter2@%s/0?assert_durable=true&min_replicas=0&wait_timeout=1s&" +
			"assert_all_replicas=true&prefix=orders": 2,
	} {
		assert.Equal(t, want, sees(t, fmt.Sprintf(url, server.Addr()), "ignored"), url)
	}
	assert.Equal(t, 2, sees(t, "redis://"+server.Addr()+"/0?prefix=orders", "hunter2"))
}

func TestAURLNamesARedisCluster(t *testing.T) {
	t.Parallel()
	var addrs []string
	var nodes []*redis.Client
	for i := range 2 {
		s := testserver.Redis(t, testserver.Durable(), testserver.Args("--cluster-enabled", "yes"))
		node := redis.NewClient(&redis.Options{Addr: s.Addr()})
		defer node.Close()
		require.NoError(t, node.ClusterAddSlotsRange(t.Context(), i*8192, i*8192+8191).Err())
		addrs, nodes = append(addrs, s.Addr()), append(nodes, node)
	}
	// A node is met at its two ports.
	info, err := nodes[1].ClusterNodes(t.Context()).Result()
	require.NoError(t, err)
	_, peer, _ := strings.Cut(strings.Fields(info)[1], "@")
	host, port, _ := net.SplitHostPort(addrs[1])
	require.NoError(t, nodes[0].Do(t.Context(), "CLUSTER", "MEET", host, port, peer).Err())
	for _, node := range nodes {
		require.Eventually(t, func() bool {
			return strings.Contains(node.ClusterInfo(t.Context()).Val(), "cluster_state:ok")
		}, time.Minute, 10*time.Millisecond)
	}
	c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs})
	defer c.Close()
	create(t, redisstore.New(c, redisstore.Options{Prefix: "orders"}), 2)
	for _, hosts := range []string{addrs[0] + "?cluster=true&", addrs[1] + "/?cluster=true&",
		addrs[0] + "," + addrs[1] + "?", "127.0.0.1:1," + addrs[1] + "/0?"} {
		assert.Equal(t, 2, sees(t, "redis://"+hosts+"prefix=orders", ""), hosts)
	}
}

func TestAURLNamesSentinels(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Durable(), testserver.Args("--requirepass", "hunter2"))
	c := redis.NewClient(&redis.Options{Addr: server.Addr(), Password: "hunter2"})
	defer c.Close()
	create(t, redisstore.New(c, redisstore.Options{}), 2)
	sentinel := sentinelOf(t, server.Addr())
	for _, url := range []string{
		"redis://:hunter2@%s/0?master_name=orders&sentinel_password=guard",
		"redis://default:hunter2@127.0.0.1:1,%s?master_name=orders&sentinel_password=guard",
	} {
		assert.Equal(t, 2, sees(t, fmt.Sprintf(url, sentinel), ""), url)
	}
}

// sentinelOf starts a sentinel with the password guard, which knows a server as orders.
func sentinelOf(t *testing.T, server string) (addr string) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		testserver.Missing(t, "Redis", "install it where PATH finds it")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr = free.Addr().String()
	require.NoError(t, free.Close())
	host, port, _ := net.SplitHostPort(server)
	_, own, _ := net.SplitHostPort(addr)
	file := filepath.Join(testserver.TempDir(t), "sentinel.conf")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "port %s\nbind 127.0.0.1\n"+
		"requirepass guard\nsentinel monitor orders %s %s 1\nsentinel auth-pass orders hunter2\n",
		own, host, port), 0o600))
	cmd := exec.Command(program, file, "--sentinel")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	c := redis.NewSentinelClient(&redis.Options{Addr: addr, Password: "guard"})
	defer c.Close()
	require.Eventually(t, func() bool {
		return c.GetMasterAddrByName(t.Context(), "orders").Err() == nil
	}, time.Minute, 10*time.Millisecond)
	return addr
}

func TestAURLNamesThePlaceOfAServiceOnEtcd(t *testing.T) {
	t.Parallel()
	server := testserver.Etcd(t, testserver.Durable())
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{server.Addr()}, Logger: zap.NewNop()})
	require.NoError(t, err)
	defer c.Close()
	for i, prefix := range []string{"", "/a/b", "orders", "/"} {
		create(t, etcdstore.New(c, etcdstore.Options{Prefix: prefix}), int64(i+1))
	}
	for url, want := range map[string]int{
		"etcd://%s": 1, "etcd://%s/": 1, "etcd://%s/ringuid": 1, "etcd://%s/a/b/": 2,
		"etcd://%s?prefix=/a/b": 2, "etcd://%s?prefix=orders": 3, "etcd://127.0.0.1:1,%s?prefix=/": 4,
		"etcd://%s/uid": 0,
	} {
		assert.Equal(t, want, sees(t, fmt.Sprintf(url, server.Addr()), "ignored"), url)
	}
	_, err = storeurl.Open("etcd://"+server.Addr()+"/a?prefix=b", "")
	assert.ErrorContains(t, err, "the prefix is there twice")
}

func TestAURLNamesThePlaceOfAServiceOnZooKeeper(t *testing.T) {
	t.Parallel()
	server := testserver.ZooKeeper(t, testserver.Durable())
	c, _, err := zk.Connect([]string{server.Addr()}, time.Minute,
		zk.WithLogger(log.New(io.Discard, "", 0)))
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.AddAuth("digest", []byte("uid:hunter2")))
	create(t, zkstore.New(c, zkstore.Options{}), 1)
	create(t, zkstore.New(c, zkstore.Options{Root: "/a/b", ACL: zk.AuthACL(zk.PermAll)}), 2)
	for url, want := range map[string]int{
		"zk://%s": 1, "zk://%s/": 1, "zk://127.0.0.1:1,%s/ringuid": 1, "zk://uid:hunter2@%s/a/b": 2,
		"zk://%s/uid": 0,
	} {
		assert.Equal(t, want, sees(t, fmt.Sprintf(url, server.Addr()), ""), url)
	}
	assert.Equal(t, 2, sees(t, "zk://uid@"+server.Addr()+"/a/b", "hunter2"))

	// What is created is for whom the URL says.
	for url, want := range map[string][]zk.ACL{
		"zk://%s/world":            zk.WorldACL(zk.PermAll),
		"zk://uid:hunter2@%s/auth": zk.DigestACL(zk.PermAll, "uid", "hunter2"),
		"zk://uid:hunter2@%s/both?acl=world:anyone:r,auth::cdrwa": append(zk.WorldACL(zk.PermRead),
			zk.DigestACL(zk.PermAll, "uid", "hunter2")...),
	} {
		url = fmt.Sprintf(url, server.Addr())
		s, err := storeurl.Open(url, "")
		require.NoError(t, err)
		create(t, s.Leases, 1)
		require.NoError(t, s.Close())
		_, root, _ := strings.Cut(strings.TrimPrefix(url, "zk://"), "/")
		root, _, _ = strings.Cut(root, "?")
		acl, _, err := c.GetACL("/" + root + "/rows")
		require.NoError(t, err)
		assert.ElementsMatch(t, want, acl, url)
	}
}

// An API server is asked for the Leases of the name, in the namespace, of the context's cluster.
func TestAURLNamesThePlaceOfAServiceOnKubernetes(t *testing.T) {
	asked := ""
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/version" { // which tells the time
			asked = r.URL.Path + " " + r.FormValue("labelSelector")
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1", "items": []}`)
	}))
	defer api.Close()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `
clusters:
- {name: here, cluster: {server: %s}}
- {name: away, cluster: {server: "http://127.0.0.1:1"}}
contexts:
- {name: prod, context: {cluster: here, namespace: shop}}
- {name: test, context: {cluster: away}}
current-context: test
`, api.URL), 0o600))
	const leases = "/apis/coordination.k8s.io/v1/namespaces/%s/leases ringuid.github.io/name=%s"
	for url, want := range map[string][]any{
		"k8s:?context=prod":                   {"shop", "ringuid"},
		"k8s:pay?context=prod":                {"pay", "ringuid"},
		"k8s:pay?name=orders&context=prod":    {"pay", "orders"},
		"k8s:?context=prod&name=orders-of-eu": {"shop", "orders-of-eu"},
	} {
		assert.Zero(t, sees(t, url+"&kubeconfig="+file, ""))
		assert.Equal(t, fmt.Sprintf(leases, want...), asked, url)
	}
	t.Setenv("KUBECONFIG", file)
	s, err := storeurl.Open("k8s:?context=prod&name=orders", "")
	require.NoError(t, err)
	assert.Equal(t, "k8s:shop?context=prod&name=orders", s.Name)
	assert.Equal(t, "Leases named orders-... in the namespace shop", s.Place)
}

func TestAURLNamesThePlaceOfAServiceOnS3(t *testing.T) {
	server := testserver.S3(t)
	t.Setenv("AWS_ACCESS_KEY_ID", testserver.S3Key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", testserver.S3Secret)
	c := s3.New(s3.Options{BaseEndpoint: new(server.DSN()), UsePathStyle: true, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(testserver.S3Key, testserver.S3Secret, "")})
	create(t, s3store.New(c, s3store.Options{Bucket: testserver.S3Bucket}), 1)
	create(t, s3store.New(c, s3store.Options{Bucket: testserver.S3Bucket, Key: "a/b"}), 2)
	for url, want := range map[string]int{
		"s3://ids?region=us-east-1&endpoint=http://%s":         1,
		"s3://ids/?region=us-east-1&endpoint=http://%s":        1,
		"s3://ids/ringuid?region=us-east-1&endpoint=http://%s": 1,
		"s3://ids/a/b/?region=us-east-1&endpoint=http://%s":    2,
		"s3://ids/a/b?endpoint=http://%s&region=us-east-1":     2,
		"s3://ids/none?region=us-east-1&endpoint=http://%s/":   0,
	} {
		assert.Equal(t, want, sees(t, fmt.Sprintf(url, server.Addr()), "ignored"), url)
	}
	assert.Equal(t, 1, sees(t, server.URL(), ""))
	t.Setenv("AWS_REGION", "us-east-1")
	assert.Equal(t, 2, sees(t, "s3://ids/a/b?endpoint=http://"+server.Addr(), ""))
}

func TestS3WithoutCredentialsSaysWhatToSet(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	s, err := storeurl.Open("s3://ids?region=us-east-1&endpoint=http://localhost:1", "")
	require.NoError(t, err)
	_, err = s.Leases.Now(t.Context())
	assert.ErrorContains(t, err, "there are no credentials: set AWS_ACCESS_KEY_ID and ")
}

// A parameter that nothing reads is refused: else the place would be another one.
func TestParametersThatThereAreNot(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	for url, why := range map[string]string{
		"redis://db/0?prefx=orders":             "prefx",
		"redis://db/0?prefix=a&prefix=b":        "prefix is there twice",
		"redis://db/0?min_replicas=many":        "min_replicas: type a number",
		"redis://db/0?wait_timeout=5":           "wait_timeout: type a time",
		"redis://db/0?assert_durable=ja":        "assert_durable: type true or false",
		"redis://a,b/1":                         "master_name",
		"rediss://db/0?cacert=none.pem":         "cacert=none.pem: open none.pem",
		"rediss://db/0?cert=none.pem":           "cert=none.pem, key=",
		"redis://?socket=s.sock":                "type redis://",
		"etcd://db/uid?prefx=a":                 `there is no parameter "prefx": there are`,
		"etcd://db/uid?tls=yes":                 "tls: type true or false",
		"zk://db/uid?prefix=a":                  `there is no parameter "prefix": there are `,
		"zk://uid@db/uid":                       "the password of uid is missing",
		"zk://db/uid?acl=world:anyone":          "acl: type SCHEME:ID:cdrwa",
		"zk://db/uid?acl=world:anyone:x":        "acl: type SCHEME:ID:cdrwa",
		"k8s:shop?prefix=orders":                `there is no parameter "prefix": there are name`,
		"k8s://shop":                            "type k8s:[NAMESPACE]",
		"k8s:/shop":                             "type k8s:[NAMESPACE]",
		"mysql://db/uid?strict=true":            "strict",
		"mysql://db/uid?tls=custom":             "tls: type true or false",
		"mysql://db/uid?timeout=5":              `--store mysql: timeout: time: missing unit`,
		"mysql://db/":                           "type mysql://USER",
		"postgres://db":                         "type postgres://USER",
		"postgres://db/uid?sslmode=nonsense":    "sslmode",
		"sqlite:w.db?prefix=orders":             "without file: and parameters",
		"sqlite:file:w.db":                      "without file: and parameters",
		"sqlite:":                               "a file is needed",
		"s3://ids/uid":                          "add ?region=REGION",
		"s3://ids/uid?regoin=eu":                `there is no parameter "regoin": there are region, endpoint`,
		"s3://ids?region=eu&endpoint=http://db": "type https://HOST",
		"s3://ids?region=eu&endpoint=db:9000":   "type https://HOST",
		"s3://uid:x@ids/uid?region=eu":          "set AWS_ACCESS_KEY_ID",
		"s3:ids/uid":                            "type s3://BUCKET[/KEY]",
		"http://db/uid":                         "no kind of store",
		"/uid":                                  "not a URL",
		"redis://uid:%zz@db/0":                  "type redis://",
		"redis://db/0#fragment":                 "type redis://",
		"etcd://a:2379,,b:2379/uid":             `"" in the list of servers`,
		"redis://a:6379,b:port,c:6379?prefix=a": `"b:port" in the list of servers`,
	} {
		_, err := storeurl.Open(url, "")
		require.ErrorContains(t, err, why, url)
		assert.True(t, storeurl.Typed(err), url)
	}
}

// Wherever a password stands in a URL that somebody may type, right or wrong, it
// is in no error and not in the name.
func TestPasswordsAreNotShown(t *testing.T) {
	const password = "hunter2"
	for _, raw := range []string{
		"mysql://uid:hunter2@db/uid",
		"mysql://uid:hunter2@db:3306/uid?timeout=1s",
		"mysql://uid:hunter2@db:port/uid",
		"mysql://uid:hunter2@db:3306",
		"mysql://uid:hunter2@db:3306/uid?timeout=hunter2",
		"mysql://uid:hunter2/x@db/uid",
		"mysql://uid:1#hunter2@db/uid",
		"mysql://uid:1/hunter2@db/uid",
		"mysql://uid:1?hunter2@db/uid",
		"mysql://uid:%zzhunter2@db/uid",
		"mysql:uid:hunter2@db/uid",
		"postgres://uid:hunter2@db/uid",
		"postgres://uid@db/uid?password=hunter2",
		"postgres://uid@db/uid?sslmode=hunter2&password=hunter2",
		"postgres://uid:hunter2@db/uid?sslmode=nonsense",
		"postgres://uid:hunter2@db:nonsense/uid",
		"redis://:hunter2@db/0",
		"redis://:hunter2@db/zero",
		"rediss://uid:hunter2@db:6379/0?nonsense=hunter2",
		"zk://uid:hunter2@db?nonsense=1",
		"etcd://uid:1?hunter2@db/path",
		"redis://uid:1?hunter2@db/0",
		"redis://:hunter2@a,b/0?min_replicas=hunter2",
		"etcd://uid:hunter2@db:port/path",
		"etcd://uid:1/hunter2@db/path",
		"s3://uid:hunter2@ids/uid?region=eu",
		"s3://ids/uid?region=eu&endpoint=https://uid:hunter2@db",
		"mssql://uid:hunter2@db/uid",
		"hunter2",
	} {
		s, err := storeurl.Open(raw, "")
		if err != nil {
			assert.NotContains(t, storeurl.Redact(err.Error()), password, raw)
			assert.True(t, storeurl.Typed(err), raw)
			continue
		}
		assert.NotContains(t, s.Name, password, raw)
		assert.NoError(t, s.Close())
	}
}
