package redisstore

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// rowText is how a row is kept. The scripts read and write the same:
//
//	nonce high held expires renewed unit window owner
//
// Numbers are decimal; times, unit and window are milliseconds, and a time that there is not
// is 0. The high of a row that is not open is "-".
func rowText(p store.Pool, r store.Row) string {
	high, held := "-", 0
	if r.Open {
		high = strconv.FormatInt(r.High, 10)
	}
	if r.Held {
		held = 1
	}
	return fmt.Sprintf("%x %s %d %d %d %d %d %s", r.Nonce, high, held, millis(r.Expires),
		millis(r.Renewed), p.Unit.Milliseconds(), window(p), r.Owner)
}

// window is that of a pool in milliseconds.
func window(p store.Pool) int64 { return p.Window() * p.Unit.Milliseconds() }

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// parseRow reads a field of a hash of rows, and refuses what neither rowText nor a script
// has written, or with another window.
func (s *rows) parseRow(layout, field, text string) (p store.Pool, r store.Row, err error) {
	parts := append(strings.SplitN(text, " ", 8), make([]string, 8)...)
	number := func(text string) int64 {
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	instant := func(text string) (t time.Time) {
		if ms := number(text); ms != 0 {
			t = time.UnixMilli(ms).UTC()
		}
		return t
	}
	nonce, _ := hex.DecodeString(parts[0])
	copy(r.Nonce[:], nonce)
	r.Worker, r.Owner = number(field), parts[7]
	r.Open, r.High, r.Held = parts[1] != "-", number(parts[1]), parts[2] == "1"
	r.Expires, r.Renewed = instant(parts[3]), instant(parts[4])
	p = store.Pool{Layout: layout, Unit: time.Duration(number(parts[5])) * time.Millisecond}
	if p.Unit <= 0 || strconv.FormatInt(r.Worker, 10) != field || rowText(p, r) != text {
		return p, r, s.edited(layout, field, fmt.Sprintf("it is %.200q", text))
	}
	return p, r, nil
}

func (s *rows) edited(layout, field, what string) error {
	return fmt.Errorf("redisstore: %w: the row of worker id %s was edited, or written by another "+
		"version: %s; delete the field of %s", worker.ErrStore, field, what, s.rowsKey(layout))
}
