package testserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// AzuriteKey is the key of the account devstoreaccount1, which everybody knows.
const AzuriteKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/" +
	"K1SZFPTOtr/KBHBeksoGMGw=="

// GCS starts a server with the API of Google Cloud Storage, which keeps objects in memory.
func GCS(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "fake-gcs-server",
		install: "make test-buckets builds it",
		find:    func() (string, bool) { return findBuilt("fake-gcs-server") },
		command: func(s *Server) *exec.Cmd {
			return exec.Command(s.bin, "-scheme=http", "-backend=memory", "-host=127.0.0.1",
				fmt.Sprint("-port=", s.port), "-public-host="+s.Addr(), "-external-url=http://"+s.Addr(),
				"-log-level=error")
		},
		ready: get("/_internal/healthcheck", "200 "),
		url:   "http://%s",
	}, options)
}

// Azurite starts a server with the API of Azure Blob Storage.
func Azurite(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, kind{
		name:    "Azurite",
		install: "make test-buckets installs it with npm",
		find: func() (string, bool) {
			return findBuilt(filepath.Join("azurite", "node_modules", ".bin", "azurite-blob"))
		},
		command: func(s *Server) *exec.Cmd {
			_ = os.Mkdir(s.dataDir(), 0o700)
			return exec.Command(s.bin, "--blobHost", "127.0.0.1", "--blobPort", fmt.Sprint(s.port),
				"--location", s.dataDir(), "--silent", "--skipApiVersionCheck", "--disableTelemetry")
		},
		ready: get("/", "[34]"),
		url:   "http://%s",
	}, options)
}
