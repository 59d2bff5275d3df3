package record

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker/store"
)

// A High in another unit ends no earlier, and less than a tick later; and no way back lowers it.
func TestRecount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := func(label string) store.Namespace {
			return store.Namespace{Unit: time.Duration(rapid.Int64Range(1, 86_400_000).Draw(t, label)) * time.Millisecond}
		}
		was, is := unit("was"), unit("is")
		high := was.TickAt(time.UnixMilli(rapid.Int64Range(-1e12, 1e14).Draw(t, "end")))
		got := Recount(high, was.Unit, is)
		late := is.Start(got + 1).Sub(was.Start(high + 1))
		if late < 0 || late >= is.Unit {
			t.Fatalf("%d ticks of %v are %d of %v, which end %v later", high, was.Unit, got, is.Unit, late)
		}
		if back := Recount(got, is.Unit, was); back < high {
			t.Fatalf("%d ticks of %v are %d of %v, and these %d", high, was.Unit, got, is.Unit, back)
		}
	})
}

func TestRecountLeavesWhatItCan(t *testing.T) {
	n := store.Namespace{Unit: time.Second}
	assert.Equal(t, int64(1<<60), Recount(1<<60, time.Second, n))
	assert.Equal(t, int64(1<<60), Recount(1<<60, 0, n), "the text is older than units in it")
}
