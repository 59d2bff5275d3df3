package docstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// bucket keeps the values of a place in memory. Each request takes latency, and a value can be
// written once per pace.
type bucket struct {
	latency, pace time.Duration
	grain         time.Duration // of the clock; 0: a second
	// answer may change what a Save does, and what its answer is.
	answer func(v *value, save func() bool) (bool, error)
	lax    bool // it writes whatever tag is asked for
	laxNew bool // it writes whatever is there

	mu     sync.Mutex
	values [parts]value
}

type value struct {
	*bucket
	part    int
	text    []byte
	written time.Time
}

func (b *bucket) open() store.Store { return New(b.at, Options{Name: "memory"}) }

func (b *bucket) at(part int) Document {
	v := &b.values[part]
	v.bucket, v.part = b, part
	return v
}

func (v *value) tag() string {
	if v.text == nil {
		return ""
	}
	hash := sha256.Sum256(v.text)
	return hex.EncodeToString(hash[:])
}

func (v *value) Load(ctx context.Context) (Snapshot, error) {
	if err := v.travel(ctx); err != nil {
		return Snapshot{}, err
	}
	v.mu.Lock()
	grain := cmp.Or(v.grain, time.Second)
	s := Snapshot{Value: v.text, Tag: v.tag(), Shown: time.Now().Truncate(grain), Grain: grain}
	v.mu.Unlock()
	return s, v.travel(ctx)
}

// travel takes half of the latency.
func (b *bucket) travel(ctx context.Context) error {
	if b.latency > 0 {
		select {
		case <-time.After(b.latency / 2):
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

func (v *value) Save(ctx context.Context, text []byte, tag string) (saved bool, err error) {
	if err := v.travel(ctx); err != nil {
		return false, err
	}
	save := func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		is := v.tag()
		matches := is == tag || v.lax && tag != "" || v.laxNew && tag == ""
		if !matches || time.Since(v.written) < v.pace {
			return false
		}
		v.text, v.written = text, time.Now()
		return true
	}
	if v.answer != nil {
		saved, err = v.answer(v, save)
	} else {
		saved = save()
	}
	if lost := v.travel(ctx); lost != nil {
		return false, lost
	}
	return saved, err
}

// change changes a value by hand.
func (b *bucket) change(part int, how func(was []byte) []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.values[part].text = how(b.values[part].text)
}

func (b *bucket) edit(part int, text []byte) {
	b.change(part, func([]byte) []byte { return text })
}
