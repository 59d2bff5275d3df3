module github.com/ringuid/ringuid

go 1.26.0

require (
	github.com/DATA-DOG/go-sqlmock v1.5.2
	github.com/anishathalye/porcupine v1.0.2
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
	golang.org/x/sync v0.22.0
	pgregory.net/rapid v1.2.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
