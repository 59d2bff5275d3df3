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

// rowText returns a row as it is kept. The scripts read and write the same:
//
//	nonce high held expires renewed unit window owner
//
// Numbers are decimal; times, unit and window are in milliseconds, and a missing time is 0. The
// high of a row that is not open is "-".
func rowText(p store.Pool, r store.Row) string {
	high, held := "-", 0
	if r.Open {
		high = strconv.FormatInt(r.High, 10)
	}
	if r.Held {
		held = 1
	}
	return fmt.Sprintf("%x %s %d %d %d %d %d %s", r.Nonce, high, held, max(0, r.Expires.UnixMilli()),
		max(0, r.Renewed.UnixMilli()), p.Unit.Milliseconds(), window(p), r.Owner)
}

// window returns a pool's window in milliseconds.
func window(p store.Pool) int64 { return p.Window() * p.Unit.Milliseconds() }

// number parses a number. If text is not one, formatting the result does not give text.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// instant parses a time in a row.
func instant(text string) (t time.Time) {
	if ms := number(text); ms != 0 {
		t = time.UnixMilli(ms).UTC()
	}
	return t
}

// parseRow reads a field of a hash of rows. It refuses a text that neither rowText nor a script
// has written, or that has another window. A pool whose unit is not known gets the row's unit.
func (s *rows) parseRow(p store.Pool, field, text string) (store.Pool, store.Row, error) {
	parts := append(strings.SplitN(text, " ", 8), make([]string, 8)...)
	nonce, _ := hex.DecodeString(parts[0])
	r := store.Row{Worker: number(field), Open: parts[1] != "-", High: number(parts[1]),
		Held: parts[2] == "1", Expires: instant(parts[3]), Renewed: instant(parts[4]), Owner: parts[7]}
	copy(r.Nonce[:], nonce)
	if p.Unit == 0 {
		p.Unit = time.Duration(number(parts[5])) * time.Millisecond
	}
	if p.Unit <= 0 || strconv.FormatInt(r.Worker, 10) != field || rowText(p, r) != text {
		return p, r, fmt.Errorf("redisstore: %w: the row of worker id %s, with ticks of %v, was edited, "+
			"or written by another version: the field of %s is %.200q", worker.ErrStore, field, p.Unit,
			s.rowsKey(p.Layout), text)
	}
	return p, r, nil
}
