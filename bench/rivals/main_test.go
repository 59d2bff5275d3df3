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
		err  string // in what is told besides
	}{
		{
			name: "a few of them",
			args: "--only xid|Stream --rounds 1 --slice 1ms --check 10000",
			out:  []string{"rs/xid", "ringuid, Stream", "10 k", "none", "taken by 8 goroutines", "medians of 1 rounds of 1ms"},
			not:  []string{"ulid", "quoted"},
			err:  "checked ringuid, Stream: 10 k ids, 0 duplicates\n",
		},
		{
			name: "the check alone",
			args: "--only Stream --rounds 0 --check 20e3 --goroutines 3",
			out:  []string{"ringuid, Stream", "20 k", "taken by 3 goroutines"},
			not:  []string{"medians"},
			err:  "checked ringuid, Stream: 20 k ids, 0 duplicates\n",
		},
		{
			name: "nothing but quoted ones, and no check",
			args: "--only raindrop --rounds 1 --check 0 --format markdown",
			out:  []string{"| treeyh/raindrop |", "quoted: measured on"},
			not:  []string{"ringuid"},
		},
		{name: "help", args: "--help", err: "(default 20000000)"},
		{name: "no such generator", args: "--only nobody", code: usage, err: "no generator has such a name"},
		{name: "no such flag", args: "--fast", code: usage, err: "not defined: -fast"},
		{name: "no such format", args: "--format xml", code: usage, err: `text, markdown or json, not "xml"`},
		{name: "fewer rounds than none", args: "--rounds -1", code: usage, err: "--rounds must be 0 or more"},
		{name: "neither rounds nor a check", args: "--rounds 0 --check 0", code: usage, err: "nothing to do"},
		{name: "no slice", args: "--slice 0s", code: usage, err: "--slice must be above 0"},
		{name: "a check of fewer than none", args: "--check -1", code: usage, err: `"-1" for flag -check: type a whole number from 0 to 1e+09`},
		{name: "a check of half an id", args: "--check 2.5", code: usage, err: "type a whole number"},
		{name: "a check of no number", args: "--check many", code: usage, err: "type a whole number"},
		{name: "a check of not a number", args: "--check nan", code: usage, err: "type a whole number"},
		{name: "a check that no memory holds", args: "--check 1e12", code: usage, err: "type a whole number from 0 to 1e+09"},
		{name: "nobody to check", args: "--goroutines 0", code: usage, err: "--goroutines must be 1 to 256"},
		{name: "too many to check", args: "--goroutines 257", code: usage, err: "--goroutines must be 1 to 256"},
		{name: "half a goroutine", args: "--goroutines 0.5", code: usage, err: `"0.5" for flag -goroutines`},
		{name: "not a regular expression", args: "--only (", code: usage, err: "missing closing )"},
		{name: "an argument", args: "all", code: usage, err: `there are no arguments, got "all"`},
		{name: "nowhere to draw", args: "--only raindrop --svg /nowhere/at/all.svg", code: failed, out: []string{"raindrop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, told strings.Builder
			assert.Equal(t, tt.code, run(strings.Fields(tt.args), &out, &told))
			assert.Contains(t, told.String(), tt.err)
			if tt.code == usage {
				assert.Equal(t, 1, strings.Count(told.String(), "\n"), "one line, and not all flags:\n%s", &told)
			}
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

func TestCountsAreReadAsTheyAreTyped(t *testing.T) {
	for text, want := range map[string]count{
		"0": 0, "20000000": 20_000_000, "20_000_000": 20_000_000, "20e6": 20_000_000, "2.5e1": 25, "1e9": mostChecked,
	} {
		var got count
		require.NoError(t, got.Set(text), text)
		assert.Equal(t, want, got, text)
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
