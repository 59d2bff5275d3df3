package worker

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/docstore"
	"github.com/ringuid/ringuid/worker/store"
)

// message is a request on its way to the store, or a reply on its way back.
type message struct {
	at    time.Duration
	back  bool
	call  int
	peer  *process
	shown time.Time // by the last view of the peer
	ask   any
	reply
}

// reply is an answer, and what nobody in the world is told.
type reply struct {
	answer
	stale bool
	kept  store.Nonce // of a row that was not deleted

	snapshot docstore.Snapshot // of a document
}

func (a answer) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return fmt.Sprint(a.applied)
}

// send puts a message on its way: once, twice or not at all, soon or late, so
// that messages overtake each other.
func (w *world) send(m message) {
	copies := 1
	r, _ := m.ask.(request)
	reads := w.documents && r.save == "" // a client repeats what is lost
	if !reads && w.chance(w.odds.lose) {
		copies = 0
	} else if _, creates := m.ask.(creation); !creates && w.chance(w.odds.double) {
		copies = 2 // which is not allowed of a creation: see store.Store
	}
	if copies != 1 {
		w.say("  the network carries %d copies of that", copies)
	}
	for range copies {
		m.at = w.now + w.duration(0, w.latency)
		if !reads && w.chance(w.odds.delay) {
			m.at += w.duration(0, 20*time.Second)
		}
		w.network = append(w.network, m)
	}
}

// deliver lets a message arrive that is due, any one; false if there is none.
func (w *world) deliver() bool {
	pick, due := -1, 0
	for i, m := range w.network {
		if m.at <= w.now {
			if due++; w.IntN(due) == 0 {
				pick = i
			}
		}
	}
	if pick < 0 {
		return false
	}
	m := w.network[pick]
	last := len(w.network) - 1
	w.network[pick] = w.network[last]
	w.network = w.network[:last]
	if m.back {
		m.peer.receive(m)
		return true
	}
	if w.server.down > w.now {
		w.say("%v's call %d finds the store down", m.peer, m.call)
		return true
	}
	m.reply = w.server.serve(m)
	m.back = true
	w.send(m)
	return true
}
