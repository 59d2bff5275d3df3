package stores

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/testserver"
)

// papers are files with certificates of one authority, for a server at 127.0.0.1 and a client.
type papers struct {
	ca, cert, key string
	pair          tls.Certificate
	pool          *x509.CertPool
}

// With names it is only for a server of these.
func newPapers(t *testing.T, names ...string) (p papers) {
	dir := testserver.TempDir(t)
	require.NoError(t, os.Chmod(dir, 0o755)) // PostgreSQL's server is another user
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	one := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().AddDate(-9, 0, 0), NotAfter: time.Now().AddDate(9, 0, 0),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"db.internal"}}
	if names != nil {
		one.IPAddresses, one.DNSNames = nil, names
	}
	der, err := x509.CreateCertificate(rand.Reader, one, one, key.Public(), key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	p = papers{filepath.Join(dir, "cert"), filepath.Join(dir, "cert"), filepath.Join(dir, "key"),
		tls.Certificate{}, x509.NewCertPool()}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(p.cert, text, 0o644))
	require.True(t, p.pool.AppendCertsFromPEM(text))
	text = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	require.NoError(t, os.WriteFile(p.key, text, 0o600))
	p.pair, err = tls.LoadX509KeyPair(p.cert, p.key)
	require.NoError(t, err)
	return p
}

// params are the parameters of a client with these papers.
func (p papers) params() string { return "cacert=" + p.ca + "&cert=" + p.cert + "&key=" + p.key }

// inTLS puts TLS in front of a server, which wants to see a certificate of each client.
func (p papers) inTLS(t *testing.T, server string) (addr string) {
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{p.pair},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: p.pool, NextProtos: []string{"h2"}})
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				s, err := net.Dial("tcp", server)
				if err != nil {
					return
				}
				defer s.Close()
				go func() {
					_, _ = io.Copy(s, c)
					_ = s.Close()
				}()
				_, _ = io.Copy(c, s)
			}()
		}
	}()
	return l.Addr().String()
}

// checked opens the store of a URL, and asks it a question.
func checked(t *testing.T, url string) error {
	s, err := storeurl.Open(url, "")
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err = s.Leases.Check(t.Context()); err == nil {
		_, err = s.Leases.Now(t.Context()) // of etcd's members over HTTP
	}
	return err
}

func TestTLS(t *testing.T) {
	p := newPapers(t)
	for scheme, start := range map[string]func(testing.TB, ...testserver.Option) *testserver.Server{
		"redis": testserver.Redis, "rediss": testserver.Redis, "etcd": testserver.Etcd,
		"zk": testserver.ZooKeeper,
	} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			s := start(t, testserver.Durable())
			url := scheme + "://" + p.inTLS(t, s.Addr()) + "/?"
			assert.NoError(t, checked(t, url+p.params()))
			assert.NoError(t, checked(t, url+p.params()+"&tls=true&server_name=db.internal"))
			assert.NoError(t, checked(t, url+"skip_verify=true&cert="+p.cert+"&key="+p.key))
			assert.Error(t, checked(t, url+"cacert="+p.ca), "without a client's certificate")
		})
	}
}

// A certificate is for the name that was typed, also where the client looks it up by itself.
func TestTLSByName(t *testing.T) {
	t.Parallel()
	p := newPapers(t, "localhost")
	s := testserver.ZooKeeper(t, testserver.Durable())
	_, port, _ := net.SplitHostPort(p.inTLS(t, s.Addr()))
	assert.NoError(t, checked(t, "zk://localhost:"+port+"?"+p.params()))
}

// The databases speak TLS themselves, by the words of their drivers or by those above.
func TestTLSOfDatabases(t *testing.T) {
	p := newPapers(t)
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		s := testserver.MariaDB(t, testserver.Durable(), testserver.Args("--ssl-cert="+p.cert,
			"--ssl-key="+p.key, "--ssl-ca="+p.ca))
		require.NoError(t, give(t, "mysql", s, "CREATE USER uid IDENTIFIED BY 'secret' REQUIRE X509",
			"GRANT ALL ON test.* TO uid"))
		url := "mysql://uid:secret@" + s.Addr() + "/test?"
		assert.NoError(t, checked(t, url+p.params()))
		assert.NoError(t, checked(t, url+p.params()+"&tls=true&timeout=20s"))
		assert.ErrorContains(t, checked(t, url+"tls=true"), "certificate")
		assert.Error(t, checked(t, url+"tls=skip-verify"), "without a client's certificate")
		assert.Error(t, checked(t, url), "without TLS")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		key := p.key
		if os.Geteuid() == 0 { // its server is nobody
			key += ".pg"
			require.NoError(t, exec.Command("cp", p.key, key).Run())
			require.NoError(t, exec.Command("chown", "nobody", key).Run())
		}
		s := testserver.Postgres(t, testserver.Durable(), testserver.Args("-c", "ssl=on",
			"-c", "ssl_cert_file="+p.cert, "-c", "ssl_key_file="+key))
		require.NoError(t, give(t, "pgx", s, "CREATE USER uid PASSWORD 'secret'",
			"CREATE SCHEMA orders AUTHORIZATION uid"))
		url := "postgres://uid:secret@" + s.Addr() +
			"/postgres?search_path=orders&sslmode=verify-full&sslrootcert="
		assert.NoError(t, checked(t, url+p.ca+"&sslcert="+p.cert+"&sslkey="+p.key))
		assert.ErrorContains(t, checked(t, url+"system"), "certificate")
	})
}

// give has the server's own user execute statements.
func give(t *testing.T, driver string, s *testserver.Server, statements ...string) error {
	db, err := sql.Open(driver, s.DSN())
	require.NoError(t, err)
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			return err
		}
	}
	return nil
}
