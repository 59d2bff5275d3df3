package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	tests := []struct {
		name string
		args string
		code int
		out  []string
		not  []string
	}{
		{
			name: "a few of them",
			args: "--only xid|Stream --rounds 1 --slice 1ms --check 10000",
			out:  []string{"rs/xid", "ringuid, Stream", "10 k", "none"},
			not:  []string{"ulid", "quoted"},
		},
		{
			name: "nothing but quoted ones, and no check",
			args: "--only raindrop --rounds 1 --check 0 --format markdown",
			out:  []string{"| treeyh/raindrop |", "quoted: measured on"},
			not:  []string{"ringuid"},
		},
		{name: "help", args: "--help"},
		{name: "no such generator", args: "--only nobody", code: usage},
		{name: "no such flag", args: "--fast", code: usage},
		{name: "no such format", args: "--format xml", code: usage},
		{name: "no rounds", args: "--rounds 0", code: usage},
		{name: "no slice", args: "--slice 0s", code: usage},
		{name: "a check of fewer than none", args: "--check -1", code: usage},
		{name: "not a regular expression", args: "--only (", code: usage},
		{name: "an argument", args: "all", code: usage},
		{name: "nowhere to draw", args: "--only raindrop --svg /nowhere/at/all.svg", code: failed, out: []string{"raindrop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			assert.Equal(t, tt.code, run(strings.Fields(tt.args), &out, io.Discard))
			for _, text := range tt.out {
				assert.Contains(t, out.String(), text)
			}
			for _, text := range tt.not {
				assert.NotContains(t, out.String(), text)
			}
			if tt.out == nil {
				assert.Empty(t, out.String())
			}
		})
	}
}

func TestRunDraws(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratios.svg")
	args := []string{"--only", "xid|raindrop", "--rounds", "1", "--slice", "1ms", "--check", "0", "--svg", file}
	require.Equal(t, ok, run(args, io.Discard, io.Discard))
	svg, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(svg), "treeyh/raindrop")
	assert.Contains(t, string(svg), "rs/xid")
}
