package idlog

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/ringuid/ringuid/uid"
)

// BenchmarkCheck reads logs of a million lines, as they are common, and of ids
// without any order.
func BenchmarkCheck(b *testing.B) {
	const n = 1 << 20
	first, err := uid.DefaultLayout.Compose(uid.Parts{Tick: 1e7})
	if err != nil {
		b.Fatal(err)
	}
	dense := func(i int) uid.ID { return first + uid.ID(i) }
	for _, c := range []struct {
		name, line string
		format     Format
		id         func(int) uid.ID
	}{
		{"plain", "%d\n", Format{}, dense},
		{"random", "%d\n", Format{}, func(int) uid.ID { return uid.ID(rand.Int64()) }},
		{"csv", "2026-05-01T10:00:00.123Z,ok,%d\n", Format{IDColumn: "3", TimeColumn: "1"}, dense},
		{"json", `{"level":"info","ts":1767366245.123,"uid":"%d","msg":"ok"}` + "\n", Format{JSONID: "uid", JSONTime: "ts"}, dense},
	} {
		b.Run(c.name, func(b *testing.B) {
			var log bytes.Buffer
			for i := range n {
				fmt.Fprintf(&log, c.line, c.id(i))
			}
			in := Input{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log.Bytes())), nil }}
			b.ReportAllocs()
			b.SetBytes(int64(log.Len()))
			for b.Loop() {
				if _, err := Check(b.Context(), Config{Layout: uid.DefaultLayout, Format: c.format, Memory: 64 << 20}, []Input{in}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
