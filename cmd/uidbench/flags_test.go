package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestAmounts(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "1000000": 1e6, "1_000_000": 1e6, "1e6": 1e6, "1M": 1e6, "1.5k": 1500, "2G": 2e9,
		"3T": 3e12,
	} {
		var v float64
		require.NoError(t, amount{&v, true}.Set(s), s)
		assert.InDelta(t, want, v, 0, s)
	}
	var v float64
	require.NoError(t, amount{&v, false}.Set("0.5"))
	assert.InDelta(t, 0.5, v, 0)
	for _, s := range []string{"", "0", "-1", "k", "1.5", "1e400", "NaN", "Inf", "1X", "1e17", "1 M"} {
		assert.ErrorIs(t, amount{&v, true}.Set(s), errAmount, s)
	}
}

func TestProgressOffATerminalIsALineNowAndThen(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.show(bench.Progress{Part: 0.1})
	p.end()
	assert.Empty(t, out.String(), "too early")

	p = &progress{w: &out}
	p.show(bench.Progress{Rate: 1e6, Part: 0.25, Left: time.Minute})
	assert.Equal(t, " 25 %: 1 M/s, 1m0s left\n", out.String())
}

func TestProgressOnATerminalIsGoneAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, terminal: true}
	p.show(bench.Progress{Rate: 1e6})
	p.show(bench.Progress{Rate: 2e6})
	p.end()
	assert.Equal(t, clearLine+"1 M/s"+clearLine+"2 M/s"+clearLine, out.String())
}
