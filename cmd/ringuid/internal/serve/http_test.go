package serve

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// get asks over HTTP, with the password if there is one.
func (s *server) get(t *testing.T, path, password string) (code int, text string, h http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.web+path, nil)
	require.NoError(t, err)
	if password != "" {
		r.Header.Set("Authorization", "Bearer "+password)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(body), answer.Header
}

func TestIDsOverHTTP(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{})
	last := ""
	for _, path := range []string{"/id", "/api/snowflake/get/order", "/id"} {
		code, text, h := s.get(t, path, "")
		assert.Equal(t, 200, code)
		assert.Regexp(t, `^\d+$`, text)
		assert.Greater(t, text, last)
		assert.Equal(t, "no-store", h.Get("Cache-Control"))
		last = text
	}
	_, text, _ := s.get(t, "/ids?n=100", "")
	var ids []string
	require.NoError(t, json.Unmarshal([]byte(text), &ids))
	require.Len(t, ids, 100)
	for _, id := range ids {
		assert.Greater(t, id, last)
		last = id
	}
	for path, want := range map[string]int{"/ids": 400, "/ids?n=10001": 400, "/ids?n=0": 400,
		"/": 404, "/livez": 200, "/readyz": 200} {
		code, _, _ := s.get(t, path, "")
		assert.Equal(t, want, code, path)
	}
	for _, method := range []string{"HEAD", "POST"} {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.web+"/ids?n=10", nil)
		require.NoError(t, err)
		r.Close = true
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, 405, answer.StatusCode)
		assert.Equal(t, "GET", answer.Header.Get("Allow"), "HEAD would take ids that nobody gets")
	}
	_, text, _ = s.get(t, "/metrics", "")
	for _, line := range []string{`ringuid_ids_total{generator="serve"} 103`,
		`ringuid_server_requests_total{generator="serve",protocol="http"} 11`,
		`ringuid_server_errors_total{generator="serve",protocol="http"} 5`,
		`ringuid_server_requests_total{generator="serve",protocol="resp"} 1`} {
		assert.Contains(t, text, line)
	}
	dashboard, err := os.ReadFile("../../../../metrics/grafana/dashboard.json")
	require.NoError(t, err)
	asked := regexp.MustCompile(`ringuid_server_\w+`).FindAllString(string(dashboard), -1)
	assert.Len(t, asked, 4)
	for _, metric := range asked {
		assert.Contains(t, text, metric+"{")
	}
}

func TestNoIDOverHTTP(t *testing.T) {
	gen, tick := exhausted(t)
	s := start(t, gen, Config{})
	for path, want := range map[string]int{"/id": 503, "/ids?n=3": 503, "/readyz": 503,
		"/livez": 200} {
		code, _, _ := s.get(t, path, "")
		assert.Equal(t, want, code, path)
	}
	taken := gen.Stats().Taken
	tick()
	var ids []string
	_, text, _ := s.get(t, "/ids?n=10000", "")
	require.NoError(t, json.Unmarshal([]byte(text), &ids), text)
	assert.EqualValues(t, gen.Stats().Taken-taken, len(ids), "none is lost")
}

func TestAPasswordIsWanted(t *testing.T) {
	var log bytes.Buffer // is written by the logger alone, with a lock
	s := start(t, generator(t, uid.Config{}), Config{Password: "right",
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for _, first := range []string{"AUTH right", "AUTH default right", "HELLO 3 AUTH default right"} {
		w := dial(t, s.tcp)
		for _, command := range []string{"PING", "LPOP ids", "BLPOP ids 0", "INFO", "HELLO 3"} {
			assert.Regexp(t, "^-NOAUTH ", w.ask("%s", command))
		}
		assert.Regexp(t, "OK|proto", w.ask("%s", first))
		assert.Regexp(t, "^-WRONGPASS ", w.ask("AUTH wrong"))
		assert.Regexp(t, `^\d+$`, w.ask("LPOP ids"), "it stays logged in, as with Redis")
	}
	for _, wrong := range []string{"AUTH wrong", "HELLO 2 AUTH right wrong", "AUTH right wrong"} {
		assert.Regexp(t, "^-WRONGPASS ", dial(t, s.tcp).ask("%s", wrong))
	}
	for password, want := range map[string]int{"right": 200, "wrong": 401, "": 401} {
		code, text, _ := s.get(t, "/id", password)
		assert.Equal(t, want, code, text)
	}
	for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/metrics": 401} {
		code, _, _ := s.get(t, path, "")
		assert.Equal(t, want, code, path)
	}
	_, text, _ := s.get(t, "/metrics", "right")
	assert.Contains(t, text, `ringuid_server_refused_logins_total{generator="serve"} 7`)
	require.NoError(t, s.stop())
	assert.Equal(t, 1, strings.Count(log.String(), "wrong password"), "a line a minute")
	assert.NotContains(t, log.String(), "right")
}

func TestWhoMayNotBeReachedByOthers(t *testing.T) {
	for _, c := range []Config{{}, {TLS: &tls.Config{}}} {
		c.RESP = []string{":0"}
		_, err := Listen(c)
		assert.ErrorContains(t, err, "others reach")
	}
	for _, c := range []Config{{Open: true}, {Password: "x"},
		{TLS: &tls.Config{ClientCAs: x509.NewCertPool()}}} {
		c.HTTP = []string{":0"}
		s, err := Listen(c)
		require.NoError(t, err)
		s.Close()
	}
}

// certify writes a certificate of this number that vouches for itself, as cert.pem, key.pem and
// ca.pem.
func certify(t *testing.T, number int64) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(number), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	certText := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	keyText := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	for name, text := range map[string][]byte{"key.pem": keyText, "cert.pem": certText,
		"ca.pem": certText} {
		require.NoError(t, os.WriteFile(name, text, 0o600))
	}
	pair, err := tls.X509KeyPair(certText, keyText)
	require.NoError(t, err)
	return pair
}

func TestCertificatesAreReadAgainWhenTheyChange(t *testing.T) {
	t.Chdir(t.TempDir())
	var log bytes.Buffer
	_, err := LoadTLS("cert.pem", "key.pem", "ca.pem", quiet)
	require.ErrorIs(t, err, os.ErrNotExist)
	first := certify(t, 1)
	config, err := LoadTLS("cert.pem", "key.pem", "ca.pem", slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, err)
	s := start(t, generator(t, uid.Config{}), Config{TLS: config})
	ask := func(own ...tls.Certificate) (number int64, err error) {
		d := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, Certificates: own}}
		conn, err := d.DialContext(context.Background(), "tcp", s.tcp)
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "QUIT\r\n"); err != nil {
			return 0, err
		}
		if _, err := io.ReadAll(conn); err != nil {
			return 0, err
		}
		return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64(), nil
	}
	number, err := ask(first)
	require.NoError(t, err)
	assert.EqualValues(t, 1, number)
	_, err = ask()
	assert.Error(t, err, "clients need a certificate")
	second := certify(t, 2)
	number, err = ask(second)
	require.NoError(t, err)
	assert.EqualValues(t, 2, number)
	_, err = ask(first)
	assert.Error(t, err, "what the authority is changed, too")
	require.NoError(t, os.WriteFile("cert.pem", []byte("half"), 0o600))
	number, err = ask(second)
	require.NoError(t, err, "what could last be read serves")
	assert.EqualValues(t, 2, number)
	require.NoError(t, s.stop())
	assert.Equal(t, 1, strings.Count(log.String(), "cannot be read"))
}
