package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/bench"
)

func TestProgressOffATerminalIsALineNowAndThen(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.show(bench.Progress{Part: 0.1})
	p.end()
	assert.Empty(t, out.String(), "too early")

	p = &progress{w: &out}
	p.show(bench.Progress{Rate: 1e6, Part: 0.25, Left: 1600 * time.Millisecond})
	assert.Equal(t, " 25 %: 1 M/s, 1s left\n", out.String())
}

func TestProgressOnATerminalIsGoneAtTheEnd(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, terminal: true}
	p.show(bench.Progress{Rate: 1e6})
	p.show(bench.Progress{Rate: 2e6})
	p.end()
	assert.Equal(t, clearLine+"1 M/s"+clearLine+"2 M/s"+clearLine, out.String())
}
