package main

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A pipe with nothing more to come must not hold up an interrupt. That an id came twice says
// more than that it was interrupted.
func TestAnInterruptedVerifyReportsWhatItRead(t *testing.T) {
	for text, want := range map[string]int{"7\n8\n9\n": exitInterrupted, "7\n8\n7\n": exitDuplicate} {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := io.Pipe()
		defer out.Close()
		go func() {
			_, _ = io.WriteString(out, text)   // returns when it was read
			_, _ = io.WriteString(out, "10\n") // and that, when one more read has begun
			cancel()
		}()
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetIn(in)
		root.SetArgs([]string{"verify", "-"})
		assert.Equal(t, want, exitCode(ctx, root.ExecuteContext(ctx)))
		assert.Contains(t, stdout.String(), "of 1 file (interrupted)\n")
	}
}
