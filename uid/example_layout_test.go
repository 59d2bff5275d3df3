package uid_test

import (
	"fmt"
	"log"
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

func ExampleLayout_Parse() {
	layout := uid.Layout{
		Epoch: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:  time.Second, TimeBits: 28, WorkerBits: 22, SeqBits: 13,
	}
	parts, err := layout.Parse(2968681395052586)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parts.Time)
	fmt.Println("worker", parts.Worker, "sequence", parts.Seq)
	// Output:
	// 2026-01-02 00:00:00 +0000 UTC
	// worker 7 sequence 42
}

// An id that Baidu's cached generator made after the layout's end: the sign is a bit of its time.
func ExampleLayout_Parse_negative() {
	var n int64 = -9222501257978456772
	old := uid.BaiduLayout()
	old.Epoch = old.End()
	parts, err := old.Parse(uid.ID(n & math.MaxInt64))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parts.Time.UTC())
	fmt.Println("worker", parts.Worker, "sequence", parts.Seq)
	// Output:
	// 2024-11-20 20:26:39 +0000 UTC
	// worker 3278 sequence 5436
}

// All ids of a day, whoever made them, without a column for the time.
func ExampleLayout_MinID() {
	layout := uid.Layout{
		Epoch: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		Unit:  time.Second, TimeBits: 28, WorkerBits: 22, SeqBits: 13,
	}
	day := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	from, err := layout.MinID(day)
	if err != nil {
		log.Fatal(err)
	}
	to, err := layout.MinID(day.AddDate(0, 0, 1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("SELECT * FROM orders WHERE id >= %d AND id < %d\n", from, to)
	// Output:
	// SELECT * FROM orders WHERE id >= 175152202304716800 AND id < 178120883699712000
}

// A layout for 1024 workers with 4096 ids a millisecond each.
func ExampleParseLayout() {
	layout, err := uid.ParseLayout("41/10/12@1ms")
	if err != nil {
		log.Fatal(err)
	}
	layout.Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	fmt.Println(layout)
	fmt.Println("ends", layout.End())
	// Output:
	// 41/10/12@1ms since 2026-01-01
	// ends 2095-09-07 15:47:35.552 +0000 UTC
}
