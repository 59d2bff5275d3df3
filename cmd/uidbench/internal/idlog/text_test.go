package idlog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTableOfWorkersEndsWithARemark(t *testing.T) {
	r := Report{IDs: 20, OfOtherWorkers: 3, WorkersBound: 65536, Interrupted: true}
	for i := range int64(workerRows + 1) {
		r.Workers = append(r.Workers, Worker{Worker: i})
	}
	var out bytes.Buffer
	require.NoError(t, WriteText(&out, r))
	assert.Contains(t, out.String(), fmt.Sprintf("\n%8d", workerRows-1))
	assert.NotContains(t, out.String(), fmt.Sprintf("\n%8d", workerRows))
	assert.Contains(t, out.String(), "and 1 worker with less to show: --format json has them all\n")
	assert.Contains(t, out.String(), "and 3 ids of more workers than the 65,536 that are told apart\n")
}
