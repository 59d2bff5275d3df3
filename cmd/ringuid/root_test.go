package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {}} {
		var help bytes.Buffer
		assert.Equal(t, cli.OK, run(t.Context(), args, &help, io.Discard))
		for _, group := range groups {
			assert.Contains(t, help.String(), group.Title+"\n  ")
		}
	}
}
