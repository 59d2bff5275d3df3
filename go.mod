module github.com/ringuid/ringuid

go 1.26.0

require (
	github.com/DATA-DOG/go-sqlmock v1.5.0
	github.com/anishathalye/porcupine v1.0.0
	github.com/stretchr/testify v1.8.4
	go.uber.org/goleak v1.2.0
	golang.org/x/sync v0.1.0
	pgregory.net/rapid v1.2.0
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
