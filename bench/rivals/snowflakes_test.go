package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/yitter/idgenerator-go/idgen"
)

// The table says so of this rival; here is where it can be seen.
func TestYitterLosesTheWorkerID(t *testing.T) {
	const seqBits, workerBits = 16, 6
	settings := idgen.NewIdGeneratorOptions(33)
	settings.SeqBitLength = seqBits
	id := idgen.NewDefaultIdGenerator(settings).NewLong()
	assert.Zero(t, id>>seqBits&(1<<workerBits-1), "the worker id is 33")
}
