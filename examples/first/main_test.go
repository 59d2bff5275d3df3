package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testepoch"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	uid.DefaultLayout.Epoch = testepoch.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
	goleak.VerifyTestMain(m)
}

func TestRunPrintsAnID(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 { // the second finds the table
		require.NoError(t, run(t.Context()))
	}
}
