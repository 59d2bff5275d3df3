package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// What was a command here says in one line what to type now.
func TestWhatMovedSaysWhere(t *testing.T) {
	for _, name := range []string{"worker", "decode", "plan", "migrate", "verify", "soak"} {
		var stderr bytes.Buffer
		code := run(t.Context(), []string{name, "list", "--limit", "5"}, io.Discard, &stderr)
		assert.Equal(t, cli.Usage, code)
		assert.Equal(t, "uidbench: type `ringuid "+name+"`, which is another command: go install "+
			"github.com/ringuid/ringuid/cmd/ringuid@latest\n", stderr.String())
	}
}
