package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/lasting"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = lasting.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

// The databases know nothing of each other.
func TestDatacentresShareNoWorkerID(t *testing.T) {
	for here := range int64(2) {
		t.Setenv("DATACENTRE", fmt.Sprint(here))
		t.Setenv("DATABASE_URL", testserver.Postgres(t, testserver.Durable()).DSN())
		for range 2 {
			var out bytes.Buffer
			require.NoError(t, run(t.Context(), &out))
			var id, workerID, there int64
			_, err := fmt.Sscanf(out.String(), "%d of worker %d in datacentre %d\n", &id, &workerID, &there)
			require.NoError(t, err, out.String())
			assert.Equal(t, here, there)
			assert.Equal(t, here, workerID/256)
		}
	}
	t.Setenv("DATACENTRE", "4")
	assert.ErrorIs(t, run(t.Context(), new(bytes.Buffer)), worker.ErrRange)
}
