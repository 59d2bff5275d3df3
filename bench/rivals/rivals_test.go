package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/xid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yitter/idgenerator-go/idgen"
)

// BenchmarkRivals measures what an id costs: one goroutine for each of -cpu.
func BenchmarkRivals(b *testing.B) {
	for _, r := range all() {
		b.Run(r.name, func(b *testing.B) {
			s, err := r.open()
			require.NoError(b, err)
			defer s.close()
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) { assert.NoError(b, s.chunks(pb.Next)) })
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/chunk, "ns/id")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// Ours give no id twice; what the others give is told. UID_RIVALS=20e6 takes as many ids of
// each. Eight goroutines have a thread each, however few CPUs there are, so that the system
// stops some of them in the middle of a call: that is when ids come out equal.
func TestDuplicates(t *testing.T) {
	const goroutines = 8
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(goroutines, runtime.GOMAXPROCS(0))))
	ids := 100_000.0
	if text := os.Getenv("UID_RIVALS"); text != "" {
		var err error
		ids, err = strconv.ParseFloat(text, 64)
		require.NoError(t, err, "UID_RIVALS is a number of ids, like 20e6")
	}
	for _, r := range all() {
		s, err := r.open()
		require.NoError(t, err)
		atMost := time.Hour
		if r.limit != "" {
			atMost = time.Second // it waits for its clock
		}
		taken, duplicates, err := s.equal(int(ids), goroutines, atMost)
		require.NoError(t, err, r.name)
		require.NoError(t, s.close())
		t.Logf("%s: %d of %d ids are equal to another", r.name, duplicates, taken)
		if strings.HasPrefix(r.name, "ringuid") {
			assert.Zero(t, duplicates, r.name)
			assert.Equal(t, int(ids), taken, r.name)
		}
	}
}

// The check finds what there is to be found.
func TestEqualIDsAreFound(t *testing.T) {
	next := 0
	g := each(func() (int, error) { next++; return next / 2, nil })
	taken, duplicates, err := g.equal(1001, 1, time.Hour)
	require.NoError(t, err)
	assert.Equal(t, 1001, taken)
	assert.Equal(t, 500, duplicates, "0, 1, 1, 2, 2, ... 500, 500")
}

// The table says so of this rival; here is where it can be seen.
func TestYitterLosesTheWorkerID(t *testing.T) {
	const seqBits, workerBits = 16, 6
	settings := idgen.NewIdGeneratorOptions(33)
	settings.SeqBitLength = seqBits
	id := idgen.NewDefaultIdGenerator(settings).NewLong()
	assert.Zero(t, id>>seqBits&(1<<workerBits-1), "the worker id is 33")
}

// The table says so of this rival; here is where it can be seen.
func TestXidRepeatsAfterAllNumbersOfASecond(t *testing.T) {
	now := time.Unix(1, 0)
	first := xid.NewWithTime(now)
	for range 1<<24 - 1 {
		xid.NewWithTime(now)
	}
	assert.Equal(t, first, xid.NewWithTime(now))
}
