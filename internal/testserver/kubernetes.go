package testserver

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// KubernetesAdmin is the token of a user who may do everything.
const KubernetesAdmin = "of-the-admin"

// Kubernetes starts an API server on a running etcd, or on several that form a cluster. It has
// role-based access control, but no controllers, scheduler and nodes, so pods are whatever a
// test makes them. It speaks TLS.
func Kubernetes(t testing.TB, etcd []string, options ...Option) *Server {
	t.Helper()
	var urls []string
	for _, addr := range etcd {
		urls = append(urls, "http://"+addr)
	}
	ready := get("/readyz", "200 ") // all of its own checks pass
	ready.tls = true
	start := starter(kind{
		name:    "Kubernetes",
		install: "make test-kubernetes builds an API server",
		find:    built("kube-apiserver"),
		prepare: prepareKubernetes,
		args: func(s *Server) []string {
			return append(argsOfKubernetes(s), "--etcd-servers="+strings.Join(urls, ","))
		},
		ready: ready,
		url:   "https://%s",
	})
	return start(t, options...)
}

// Kubeconfig is the text of one that names the server, for who has this token.
func (s *Server) Kubeconfig(token string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
users: [{name: me, user: {token: "%s"}}]
contexts: [{name: test, context: {cluster: test, user: me}}]
current-context: test
`, s.URL(), token)
}

// built looks where make builds servers from their source.
func built(program string) func() (string, bool) {
	return func() (string, bool) {
		bin := filepath.Join(cache(), program)
		_, err := os.Stat(bin)
		return bin, err == nil
	}
}

// Kubectl returns the path of the kubectl of that API server's version.
func Kubectl(t testing.TB) string {
	t.Helper()
	bin, ok := built("kubectl")()
	if !ok {
		Missing(t, "Kubernetes", "make test-kubernetes builds kubectl")
	}
	return bin
}

func (s *Server) serviceAccountKey() string { return filepath.Join(s.dir, "service-accounts.key") }

func prepareKubernetes(s *Server) (err error) {
	if s.key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
		Bytes: x509.MarshalPKCS1PrivateKey(s.key)})
	if err := os.WriteFile(s.serviceAccountKey(), text, 0o600); err != nil {
		return err
	}
	admin := KubernetesAdmin + ",admin,admin,system:masters\n"
	return os.WriteFile(filepath.Join(s.dir, "tokens.csv"), []byte(admin), 0o600)
}

const issuer = "https://kubernetes.example"

func argsOfKubernetes(s *Server) []string {
	return []string{
		"--bind-address=127.0.0.1", fmt.Sprint("--secure-port=", s.port),
		"--cert-dir=" + filepath.Join(s.dir, "certs"),
		"--token-auth-file=" + filepath.Join(s.dir, "tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-key-file=" + s.serviceAccountKey(), "--service-account-signing-key-file=" +
			s.serviceAccountKey(),
		"--service-account-issuer=" + issuer, "--service-cluster-ip-range=10.0.0.0/24",
		"--etcd-readycheck-timeout=30s", "--etcd-healthcheck-timeout=30s", // for a busy machine
	}
}

// ServiceAccountToken returns a token as a Kubernetes server signs it, for this subject and
// with these claims about it, until it expires. Times may lie in the past.
func (s *Server) ServiceAccountToken(subject string, claims map[string]any,
	expires time.Time) string {
	s.t.Helper()
	issued := time.Now().Add(-time.Hour)
	signed := part(map[string]any{"alg": "RS256", "typ": "JWT"}) + "." + part(map[string]any{
		"iss": issuer, "aud": []string{issuer}, "sub": subject, "kubernetes.io": claims,
		"iat": issued.Unix(), "nbf": issued.Unix(), "exp": expires.Unix(),
	})
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, sum[:])
	if err != nil {
		s.t.Fatal(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// part encodes a part of a token.
func part(v map[string]any) string {
	text, _ := json.Marshal(v)
	return base64.RawURLEncoding.EncodeToString(text)
}
