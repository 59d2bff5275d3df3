package texttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// Restorable is a server whose data can be put back. It is stopped meanwhile.
type Restorable interface {
	Start()
	Stop()
	Snapshot() (restore func())
}

// TestRestored puts the data of a server back to an earlier state, in which there are no rows
// or older ones, under holders that live or were killed. The server does not show that it went
// back, so it depends on the holders, and on whoever deletes the rows. start returns a server
// without rows, and a function that returns a store with a client of its own. refuses says that
// the server refuses clients which have seen a later state: then holders that live cannot
// continue.
func TestRestored(t *testing.T,
	start func(t *testing.T) (server Restorable, open func() store.Store), refuses bool) {
	for _, play := range []struct {
		name         string
		rows         bool // older ones are there
		killed       bool // the holders, before
		quarantine   bool // then somebody deletes the rows
		mayDuplicate bool
	}{
		{name: "to before the first row"},
		{name: "to before the first row, of holders that were killed", killed: true},
		{name: "to older rows", rows: true},
		{name: "to older rows, with a quarantine", rows: true, quarantine: true},
		{name: "to older rows, of holders that were killed, with a quarantine",
			rows: true, killed: true, quarantine: true},
		// The test finds what comes twice.
		{name: "to older rows, of holders that were killed",
			rows: true, killed: true, mayDuplicate: true},
	} {
		if refuses && !play.killed {
			continue
		}
		t.Run(play.name, func(t *testing.T) {
			t.Parallel()
			server, own := start(t)
			keep := func() (restore func()) {
				server.Stop()
				defer server.Start()
				return server.Snapshot()
			}
			restore := keep()
			h := leasetest.Start(t, own(), 3)
			var all []*leasetest.Holder
			join := func() {
				for id := range int64(3) {
					all = append(all, h.JoinAs(id+1, own()))
				}
			}
			join()
			h.GoOn("they have worker ids")
			if play.rows {
				restore = keep()
				h.GoOn("they were granted more")
			}
			for _, m := range all {
				if play.killed {
					m.Crash()
				}
			}
			server.Stop()
			restore()
			server.Start()
			if play.quarantine {
				leasetest.Until(t, "the rows are deleted",
					func() error { return own().Delete(t.Context(), "") })
			}
			if play.killed {
				join()
			}
			h.GoOn("it was restored")
			assert.Equal(t, play.mayDuplicate, len(h.Duplicates()) > 0)
		})
	}
}
