package store

import (
	"slices"
	"time"
)

// Nonce names one write of a row: equal nonce, equal row.
type Nonce [16]byte

// Row is the state of one worker id.
type Row struct {
	Worker  int64
	Nonce   Nonce     // of its last write, or of its creation
	Open    bool      // High is known; a row that was only created may not be taken
	Held    bool      // by the process that wrote it last
	High    int64     // no tick above it was ever granted
	Expires time.Time // by the store's clock; from then on a held row may be taken over
	Renewed time.Time // when its holder wrote it last, by the store's clock; zero: never held
	Owner   string    // of the present or last holder: a preference, never a right

	// Slack is what the row was opened by, or the largest of those who took it since. A store that
	// keeps heads has it there.
	Slack time.Duration
}

// Write is how a holder changes its row. It is applied, all of it or nothing, if at that
// instant
//
//	the row exists and is open, and its nonce is one of Expect (I3)
//	if Acquire: the row is not held, or Expires <= now          (I3)
//	the pool's head has this Epoch and Floor, and Epoch is the server's
//	    incarnation (stores that have heads)                    (I7)
//	unless Release: High <= tick of the store's now + Window    (I6)
//
// and then the row becomes
//
//	Nonce   = Nonce
//	Held    = !Release
//	High    = Release ? High : max(row.High, High)             (I4)
//	Expires = Release ? now : now + TTL
//	Renewed = now
//	Owner   = Owner
//	Slack   = max(row.Slack, Slack), unless the store keeps heads
//
// A store that has no clock inside a write uses a time that it read before: for the last view,
// or for this write.
type Write struct {
	Pool
	Epoch string
	Floor int64

	Worker  int64
	Expect  []Nonce // one or two
	Nonce   Nonce   // new, from a cryptographic source
	High    int64
	TTL     time.Duration
	Owner   string
	Slack   time.Duration
	Acquire bool
	Release bool
}

// Apply returns what the write makes of the row r at now, and whether it is applied. Comparing
// the head is left to the store.
func (w Write) Apply(r Row, now time.Time) (Row, bool) {
	switch {
	case !r.Open, !slices.Contains(w.Expect, r.Nonce),
		w.Acquire && r.Held && r.Expires.After(now),
		!w.Release && w.High > w.TickAt(now)+w.Window():
		return r, false
	}
	r.Nonce, r.Held, r.Renewed, r.Owner = w.Nonce, !w.Release, now, w.Owner
	r.Slack = max(r.Slack, w.Slack)
	if w.Release {
		r.High, r.Expires = w.High, now
	} else {
		r.High, r.Expires = max(r.High, w.High), now.Add(w.TTL)
	}
	return r, true
}
