package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const measured = `goos: linux
BenchmarkRivals/atomic-add         	 1	         5.0 ns/id	 0 B/op
BenchmarkRivals/atomic-add         	 1	         7.0 ns/id	 0 B/op
BenchmarkRivals/atomic-add         	 1	         90 ns/id	 0 B/op
BenchmarkRivals/atomic-add-2       	 1	        20.0 ns/id	 0 B/op
BenchmarkRivals/rs/xid-2           	 1	        30.0 ns/id	 0 B/op
BenchmarkRivals/rs/xid             	 1	        35.0 ns/id	 0 B/op
BenchmarkRivals/ringuid,AppendUIDs   	 1	        0.7 ns/id	 0 B/op
BenchmarkRivals/ringuid,AppendUIDs-2 	 1	        0.4 ns/id	 0 B/op
PASS
`

func TestTable(t *testing.T) {
	var stdout, stderr strings.Builder
	require.Zero(t, run(nil, strings.NewReader(measured), &stdout, &stderr), &stderr)
	got := strings.Split(stdout.String(), "\n")
	require.Len(t, got, 6)
	assert.Equal(t, "| **ringuid,AppendUIDs** | 0.7 | 0.1 | 0.4 | 0.02 | per id of a batch of 1024 |",
		got[2])
	assert.Contains(t, got[3], "| atomic-add | 7 | 1 | 20 | 1 |")
	assert.Contains(t, got[4], "| rs/xid | 35 | 5 | 30 | 1.5 | of more than 2^24 ids")
}

func TestWrongInput(t *testing.T) {
	var stdout, stderr strings.Builder
	assert.Equal(t, 1, run(nil, strings.NewReader("PASS\n"), &stdout, &stderr))
	assert.Contains(t, stderr.String(), "run all benchmarks")
	assert.Equal(t, 2, run([]string{"-table"}, strings.NewReader(""), &stdout, &stderr))
	assert.Empty(t, stdout.String())
}
