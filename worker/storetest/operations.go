package storetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// writes are changes to a write that would otherwise be valid, each in one way.
var writes = map[string]func(w *store.Write){
	"nothing else":  func(*store.Write) {},
	"another nonce": func(w *store.Write) { w.Expect[0] = leasetest.Nonce() },
	"two other nonces": func(w *store.Write) {
		w.Expect = []store.Nonce{leasetest.Nonce(), leasetest.Nonce()}
	},
	"another nonce beside its own": func(w *store.Write) {
		w.Expect = append(w.Expect, leasetest.Nonce())
	},
	"another nonce before its own": func(w *store.Write) {
		w.Expect = []store.Nonce{leasetest.Nonce(), w.Expect[0]}
	},
	"a nonce off by its first bit":  func(w *store.Write) { w.Expect[0][0] ^= 0x80 },
	"a nonce off by its last bit":   func(w *store.Write) { w.Expect[0][15] ^= 1 },
	"another layout":                func(w *store.Write) { w.Layout = pool(w.Unit).Layout },
	"a layout of other letters":     func(w *store.Write) { w.Layout = strings.ToUpper(w.Layout) },
	"a layout with a blank":         func(w *store.Write) { w.Layout += " " },
	"another epoch":                 func(w *store.Write) { w.Epoch += "x" },
	"a floor that it has not seen":  func(w *store.Write) { w.Floor-- },
	"a floor that is not there yet": func(w *store.Write) { w.Floor++ },
	"a worker id below the rows":    func(w *store.Write) { w.Worker = first - 1 },
	"a worker id above the rows":    func(w *store.Write) { w.Worker = all },
	"a High that is less":           func(w *store.Write) { w.High -= 3 },
	"a larger slack":                func(w *store.Write) { w.Slack = time.Minute },
	"a smaller slack":               func(w *store.Write) { w.Slack = time.Millisecond },
	"another owner and TTL": func(w *store.Write) {
		w.Owner, w.TTL = "another", 5*time.Minute
	},
}

// openings are changes to an opening that is valid, except that the row may be open or missing.
var openings = map[string]func(o *opening){
	"nothing else":      func(*opening) {},
	"another nonce":     func(o *opening) { o.created = leasetest.Nonce() },
	"half of the nonce": func(o *opening) { o.created[15] ^= 1 },
	"no worker ids":     func(o *opening) { o.workers = nil },
	"other worker ids":  func(o *opening) { o.workers = []int64{first - 1, all} },
	"another layout":    func(o *opening) { o.Layout = pool(o.Unit).Layout },
	"a far High, and others beside": func(o *opening) {
		o.opened.High, o.workers = 1<<53-1, append(o.workers, all)
	},
}

// operation is made on a row of its own.
type operation struct {
	name string
	do   func(id int64)
}

// operations are made on rows whose first creation and first opening had the nonces of early.
// Later, the rows have other nonces.
func (f *fixture) operations(early map[string]store.Nonce) (all []operation) {
	changes, opens := maps.Clone(writes), maps.Clone(openings)
	for name, nonce := range early {
		changes["the nonce of "+name] = func(w *store.Write) { w.Expect[0] = nonce }
		opens["the nonce of "+name] = func(o *opening) { o.created = nonce }
	}
	for name, more := range map[string]int64{"all that the window allows": 0, "a tick more": 1} {
		changes[name] = func(w *store.Write) { w.High = w.TickAt(f.now) + w.Window() + more }
	}
	for name, change := range changes {
		for _, k := range kinds {
			all = append(all, operation{string(k) + " with " + name, func(id int64) {
				w := f.prepare(id, k)
				change(&w)
				f.write(w)
			}})
		}
	}
	for name, change := range opens {
		all = append(all, operation{"Open with " + name, func(id int64) {
			o := f.opening(f.prepare(id, extend).Expect[0], leasetest.Nonce(), id)
			change(&o)
			f.opens(o)
		}})
	}
	return append(all, operation{"Create", func(id int64) { f.create(last, id) }})
}

// testOperations does everything to rows in every state. The table has the number of
// operations that change something, so that a fault in the model is noticed, too.
func testOperations(f *fixture) {
	var created, opened, later store.Nonce
	open := func(ids []int64, created, nonce store.Nonce) {
		f.opens(f.opening(created, nonce, ids...))
	}
	states := []struct {
		name    string
		enter   func(ids []int64)
		changes int
	}{
		{"not there", func([]int64) {}, 1},
		{"created", func(ids []int64) { f.createAs(created, ids...); f.makeHead() }, 4},
		{"free", func(ids []int64) { open(ids, created, opened) }, 29},
		{"deleted", func([]int64) { f.delete(f.pool.Layout) }, 1},
		{"created again", func(ids []int64) { f.createAs(later, ids...) }, 3},
		{"free again", func(ids []int64) { open(ids, later, leasetest.Nonce()) }, 26},
		{"held", func(ids []int64) {
			f.atOnce(func() {
				for _, id := range ids {
					f.hold(id)
				}
			})
		}, 18},
		{"expired", func(ids []int64) {
			f.atOnce(func() {
				for _, id := range ids {
					w := f.prepare(id, extend)
					w.TTL = f.TTL
					require.True(f.t, f.write(w))
				}
			})
			for last := f.modelled(f.pool, 0, all).Rows[len(ids)-1].Expires; !f.now.After(last); {
				time.Sleep(last.Sub(f.now) + time.Millisecond)
				f.compare()
			}
		}, 26},
	}
	for i, state := range states {
		ok := f.run(state.name, func() {
			f.begin()
			// A nonce is of one creation.
			created, opened, later = leasetest.Nonce(), leasetest.Nonce(), leasetest.Nonce()
			operations := f.operations(map[string]store.Nonce{"the first creation": created,
				"the first opening": opened})
			var ids []int64
			for i := range operations {
				ids = append(ids, last+1+int64(i))
			}
			for _, s := range states[:i+1] {
				s.enter(ids)
			}
			changes := 0
			f.did = map[int64]string{}
			f.atOnce(func() {
				for j, o := range operations {
					before := f.modelled(f.pool, 0, all).Rows
					f.did[ids[j]] = o.name
					if !f.run(o.name, func() { o.do(ids[j]) }) {
						return // the store no longer matches the model
					}
					if !slices.Equal(before, f.modelled(f.pool, 0, all).Rows) {
						changes++
					}
				}
			})
			assert.Equal(f.t, state.changes, changes, "changes")
		})
		if !ok {
			return // most rows of the next state were in this one
		}
	}
}
