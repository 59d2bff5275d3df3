module github.com/ringuid/ringuid/worker/zkstore

go 1.26.0

require (
	github.com/go-zookeeper/zk v1.0.4
	github.com/ringuid/ringuid v0.1.0
	github.com/stretchr/testify v1.11.1
	go.uber.org/goleak v1.3.0
)

require (
	github.com/anishathalye/porcupine v1.0.2 // indirect
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	golang.org/x/sync v0.17.0 // indirect
	gopkg.in/check.v1 v1.0.0-20201130134442-10cb98267c6c // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
