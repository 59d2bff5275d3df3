package main

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnInterruptEndsTheWaitForStdin(t *testing.T) {
	stdin, terminal := io.Pipe() // nobody types
	defer terminal.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	var stdout, stderr bytes.Buffer
	cmd := newCompare(&stdout, &stderr)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetIn(stdin)
	cmd.SetArgs([]string{"-", "new.txt"})
	err := cmd.ExecuteContext(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, exitInterrupted, exitCode(ctx, err))
	assert.Empty(t, stdout.String())
}

func TestAPercentageIsTypedWithItsSignWhereItCouldBeAFraction(t *testing.T) {
	for typed, want := range map[string]float64{"5%": 5, "5": 5, "0.5%": 0.5, "0%": 0, "0": 0, "1": 1, "12.5": 12.5, "250%": 250} {
		var p percent
		require.NoError(t, p.Set(typed), typed)
		assert.Equal(t, percent{want, true}, p, typed)
	}
	for _, typed := range []string{"", "%", "0.05", "0.999", "-5%", "5 %", "5%%", "%5", "NaN", "Inf%", "1e999", "five"} {
		var p percent
		require.ErrorIs(t, p.Set(typed), errPercent, typed)
		assert.False(t, p.set, typed)
	}
}
