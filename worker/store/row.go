package store

import (
	"encoding/hex"
	"time"
)

// Nonce names one write of a row: equal nonce, equal row.
type Nonce [16]byte

func (n Nonce) String() string { return hex.EncodeToString(n[:]) }

// Row is the state of one worker id.
type Row struct {
	Worker  int64
	Nonce   Nonce
	Held    bool
	High    int64     // no tick above it was ever granted
	Expires time.Time // by the store's clock; from then on a held row may be taken over
	Renewed time.Time // by the store's clock: when the row was last written
	Owner   string    // who holds it or held it last: a preference, never a right
}

// View is the state of a namespace, now or at some earlier moment. A stale view is
// harmless: a write that builds on it is not applied.
type View struct {
	Namespace
	Server string    // the incarnation of the server now; equal to Epoch where nothing was lost
	Now    time.Time // the store's clock
	Clock  error     // why Now is the reader's own clock, if the store's cannot be read
	Rows   []Row     // in the order of their worker ids
}

// Write is the only kind of write to a row. It is applied, all of it or nothing, if at
// that instant
//
//	the row's nonce is one of Expect                    (I3)
//	if Acquire: the row is not held, or Expires <= now  (I3)
//	the namespace has this Fingerprint, Epoch and Floor, and Epoch is the server's
//	    incarnation                                     (I7)
//	unless Release: High <= tick of the store's now + Window  (I6)
//
// and then the row is
//
//	Nonce   = Nonce
//	Held    = !Release
//	High    = Release ? High : max(row.High, High)      (I4)
//	Expires = Release ? now : now + TTL
//	Renewed = now
//	Owner   = Owner
//
// A store that has no clock inside a write uses the time that its views showed, or Now.
type Write struct {
	Namespace   string
	Fingerprint string
	Epoch       string
	Floor       int64

	Worker  int64
	Expect  []Nonce // one or two
	Nonce   Nonce   // new, from a cryptographic source
	High    int64
	TTL     time.Duration
	Owner   string
	Acquire bool
	Release bool
	Now     time.Time // the writer's estimate of the store's clock
}

// Raise begins a new epoch of a namespace. It is applied if at that instant the
// namespace has this Epoch and Floor and the server's incarnation differs from Epoch;
// then
//
//	Epoch = the server's incarnation
//	Floor = max(Floor, tick of the store's now + Window + Margin)
//
// [View.Raise] returns it.
type Raise struct {
	Namespace string
	Epoch     string
	Floor     int64
	Margin    int64 // in ticks: SlackTicks
}
