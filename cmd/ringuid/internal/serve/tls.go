package serve

import (
	"crypto/tls"
	"log/slog"
	"sync/atomic"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
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
		c.ClientAuth = tls.RequireAndVerifyClientCert
		c.ClientCAs, err = storeurl.ReadAuthorities(clientCA)
		return c, err
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
