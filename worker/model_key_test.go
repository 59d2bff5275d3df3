package worker

import (
	"context"
	"encoding/binary"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// key is equal for worlds that go on alike. A nonce counts by where it appears,
// and which of two processes is the first does not matter.
func (m *model) key() string {
	var keys []string
	for i := range m.procs {
		keys = append(keys, m.keyFrom(i))
	}
	least := keys[0]
	for _, k := range keys[1:] {
		least = min(least, k)
	}
	return least
}

// keyFrom is a key that begins with process i.
func (m *model) keyFrom(i int) string {
	var k key
	k.store(m.store)
	if m.disk != nil {
		k.store(m.disk)
	}
	for j := range m.procs {
		p := m.procs[(i+j)%len(m.procs)]
		k.add(bit(p.held), bit(p.blind))
		if p.held || p.blind { // else it begins afresh
			k.add(p.h.key(k.name, m.cloned > 0)...)
		}
	}
	for _, q := range m.late {
		switch q := q.(type) {
		case creation:
			k.add(1, k.name(q.nonce))
		case opening:
			k.add(2, k.name(q.created), k.name(q.opened.Nonce), q.opened.High)
		case store.Write:
			w := q
			k.add(3, k.name(w.Nonce), w.High, w.Floor, int64(len(w.Epoch)), bit(w.Acquire),
				int64(len(w.Expect)))
			for _, n := range w.Expect {
				k.add(k.name(n))
			}
		}
	}
	k.add(int64(m.taken), m.clock, int64(m.lost), int64(m.cloned), int64(m.faults),
		int64(m.deleted))
	return string(k.bytes)
}

type key struct {
	bytes []byte
	names []store.Nonce
}

func (k *key) add(values ...int64) {
	for _, v := range values {
		k.bytes = binary.AppendVarint(k.bytes, v)
	}
}

func (k *key) name(n store.Nonce) int64 {
	for i, known := range k.names {
		if known == n {
			return int64(i)
		}
	}
	k.names = append(k.names, n)
	return int64(len(k.names) - 1)
}

func (k *key) store(s *memory.Store) {
	v, _ := s.View(context.Background(), modelPool, 0, 0)
	k.add(int64(len(v.Epoch)), int64(len(v.Server)), v.Floor, int64(len(v.Rows)))
	for _, r := range v.Rows {
		k.add(k.name(r.Nonce), bit(r.Open), r.High)
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// key is equal for holders that will act alike, unless they are released, or restored
// while it is not yet known that they will. name gives nonces short names.
func (h *holder) key(name func(store.Nonce) int64, restores bool) []int64 {
	k := []int64{name(h.latest.Nonce), max(h.acked, h.cloned), h.acked, h.view.Floor,
		int64(len(h.view.Epoch)), bit(h.doubt), bit(h.missed), bit(h.lost != nil),
		int64(len(h.unknown))}
	if restores {
		k = append(k, h.asked)
	}
	for _, w := range h.unknown {
		k = append(k, name(w.Nonce), w.High, w.Floor)
	}
	return k
}
