package serve

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"sync/atomic"
)

// LoadTLS returns the settings of a server with these files, of which clientCA, whose certificates
// clients must have, may be empty. Each handshake reads the files. While they cannot be read, such
// as in the middle of a change, those count that could last be read.
func LoadTLS(cert, key, clientCA string) (*tls.Config, error) {
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
	config := first.Clone()
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		if c, err := load(); err == nil {
			last.Store(c)
		}
		return last.Load(), nil
	}
	return config, nil
}
