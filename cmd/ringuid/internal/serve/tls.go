package serve

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
)

// LoadTLS returns the settings of a server with these files, of which clientCA, whose certificates
// clients must have, may be empty. Each handshake reads the files. While they cannot be read, such
// as in the middle of a change, those count that could last be read, and the log says so once.
func LoadTLS(cert, key, clientCA string, logger *slog.Logger) (*tls.Config, error) {
	load := func() (*tls.Config, error) {
		pair, err := tls.LoadX509KeyPair(cert, key)
		c := &tls.Config{Certificates: []tls.Certificate{pair}}
		if err != nil || clientCA == "" {
			return c, err
		}
		text, err := os.ReadFile(clientCA)
		if err != nil {
			return nil, err
		}
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("no certificate is in %s", clientCA)
		}
		return c, nil
	}
	first, err := load()
	if err != nil {
		return nil, err
	}
	var last atomic.Pointer[tls.Config]
	last.Store(first)
	var failing atomic.Bool
	config := first.Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		c, err := load()
		if err == nil {
			last.Store(c)
		}
		if failed := failing.Swap(err != nil); err != nil && !failed {
			logger.Error("the changed files for TLS cannot be read: the old ones serve", "error", err)
		}
		return last.Load(), nil
	}
	return config, nil
}
