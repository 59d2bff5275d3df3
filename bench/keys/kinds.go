package main

import (
	"context"
	"io"
	"log/slog"
	"time"

	bwmarrin "github.com/bwmarrin/snowflake"
	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

type kind struct {
	name     string
	column   string // "number", of 8 bytes; "uuid" or "octets", of 16
	unsorted bool   // keys do not sort by time

	// What makes the keys. If both are nil, the database does.
	layout *uid.Layout                     // for this project's generators
	make   func(process int) (next, error) // for another generator

	plain bool // a default generator in place of a cached one
	fresh bool // from a pool of worker ids that has just been created
	apart bool // the processes' clocks differ, by slow
}

// next makes a key: an int64, or 16 bytes.
type next func() (any, error)

func kinds() []kind {
	first := layout("41/10/12@1ms")
	tsid := must(preset.Layout("tsid"))
	return []kind{
		{name: "sequence", column: "number"},
		{name: "28/22/13@1s", column: "number", layout: layout("28/22/13@1s")},
		{name: "41/10/12@1ms", column: "number", layout: first},
		{name: "tsw:41/12/10@1ms", column: "number", layout: layout("tsw:41/12/10@1ms")},
		{name: "wts:10/41/12@1ms", column: "number", layout: layout("wts:10/41/12@1ms"), unsorted: true},
		{name: "new-pool:41/10/12@1ms", column: "number", layout: first, fresh: true},
		{name: "clocks-apart:41/10/12@1ms", column: "number", layout: first, apart: true},
		{name: "TSID", column: "number", layout: &tsid, plain: true},
		{name: "bwmarrin/snowflake", column: "number", make: func(process int) (next, error) {
			node, err := bwmarrin.NewNode(int64(process))
			return func() (any, error) { return node.Generate().Int64(), nil }, err
		}},
		{name: "UUIDv7", column: "uuid", make: always(uuid.NewV7)},
		{name: "ULID", column: "octets", make: always(func() (ulid.ULID, error) {
			return ulid.Make(), nil
		})},
		{name: "UUIDv4", column: "uuid", make: always(uuid.NewRandom), unsorted: true},
	}
}

func layout(text string) *uid.Layout { return new(must(uid.ParseLayout(text))) }

// must is for constants.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// always returns a generator that is the same for every process.
func always[T uuid.UUID | ulid.ULID](make func() (T, error)) func(int) (next, error) {
	n := func() (any, error) {
		id, err := make()
		octets := [16]byte(id)
		return octets[:], err
	}
	return func(int) (next, error) { return n, nil }
}

func (k kind) size() int {
	if k.column == "number" {
		return 8
	}
	return 16
}

// ours takes keys from a generator.
func ours(g interface{ GetUID() (uid.ID, error) }) next {
	return func() (any, error) {
		id, err := g.GetUID()
		return int64(id), err
	}
}

// slow is how far the processes' clocks are behind, in turn, in milliseconds.
var slow = []time.Duration{0, 100, 300, 500}

const workerIDs = 16

var quiet = slog.New(slog.DiscardHandler)

func (k kind) open(ctx context.Context, d *database, process int) (next, io.Closer, error) {
	switch {
	case k.make != nil:
		n, err := k.make(process)
		return n, io.NopCloser(nil), err
	case k.layout == nil:
		return nil, io.NopCloser(nil), nil
	}
	a := worker.Leased(d.leases, worker.Claim{Count: workerIDs, Slack: time.Second, Logger: quiet})
	if k.plain {
		g, err := uid.NewDefault(ctx, a, uid.DefaultConfig{Layout: *k.layout, Logger: quiet})
		return ours(g), g, err
	}
	c := uid.Config{Layout: *k.layout, Logger: quiet}
	if k.apart {
		behind := slow[process%len(slow)] * time.Millisecond
		c.Now = func() time.Time { return time.Now().Add(-behind) }
	}
	g, err := uid.New(ctx, a, c)
	return ours(g), g, err
}
