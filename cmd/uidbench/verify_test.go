package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
)

// A pipe with nothing more to come must not hold up an interrupt.
func TestAnInterruptedVerifyReportsWhatItRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		_, _ = io.WriteString(out, "7\n8\n7\n") // returns when it was read
		_, _ = io.WriteString(out, "9\n")       // and that, when one more read has begun
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	root := newRoot(&stdout, &stderr)
	root.SetIn(in)
	root.SetArgs([]string{"verify", "--format", "json", "-"})
	err := root.ExecuteContext(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, exitDuplicate, exitCode(ctx, err), "which says more than that it was interrupted")
	var r idlog.Report
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
	assert.True(t, r.Interrupted)
	assert.EqualValues(t, 1, r.Duplicates)
}

func TestAnInterruptedVerifyExitsWith130(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		_, _ = io.WriteString(out, "7\n8\n")
		cancel()
	}()
	var stdout, stderr bytes.Buffer
	root := newRoot(&stdout, &stderr)
	root.SetIn(in)
	root.SetArgs([]string{"verify", "-"})
	err := root.ExecuteContext(ctx)
	assert.Equal(t, exitInterrupted, exitCode(ctx, err))
	assert.Contains(t, stdout.String(), "(interrupted)")
}
