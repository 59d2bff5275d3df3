package testserver

import (
	"fmt"
	"os"
)

// AzuriteKey is the key of the account devstoreaccount1, which everybody knows.
const AzuriteKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/" +
	"K1SZFPTOtr/KBHBeksoGMGw=="

// GCS starts a server with the API of Google Cloud Storage, which keeps objects in memory.
var GCS = starter(kind{
	name:    "fake-gcs-server",
	install: "make test-buckets builds it",
	find:    built("fake-gcs-server"),
	args: func(s *Server) []string {
		return []string{"-scheme=http", "-backend=memory", "-host=127.0.0.1",
			fmt.Sprint("-port=", s.port), "-public-host=" + s.Addr(), "-external-url=http://" + s.Addr(),
			"-log-level=error"}
	},
	ready: get("/_internal/healthcheck", "200 "),
	url:   "http://%s",
})

// Azurite starts a server with the API of Azure Blob Storage.
var Azurite = starter(kind{
	name:    "Azurite",
	install: "make test-buckets installs it with npm",
	find:    built("azurite/node_modules/.bin/azurite-blob"),
	args: func(s *Server) []string {
		_ = os.Mkdir(s.dataDir(), 0o700)
		return []string{"--blobHost", "127.0.0.1", "--blobPort", fmt.Sprint(s.port),
			"--location", s.dataDir(), "--silent", "--skipApiVersionCheck", "--disableTelemetry"}
	},
	ready: get("/", "[34]"),
	url:   "http://%s",
})
