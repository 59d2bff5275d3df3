// Package fingerprint shows people the layout that a fingerprint names. Package uid makes the
// fingerprint. Stores keep it, and know nothing of package uid.
package fingerprint

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The letters of the order unless it is the first one, the bits of time, worker, turn, sequence
// and tail, the tail, the unit, and the epoch's tick.
var form = regexp.MustCompile(
	`^(?:([tsw]{3})\.)?(\d+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)=(\d+)@(\d+)ms\+(-?\d+)$`)

// Layout returns the layout in the form of uid.Layout.String, such as 28/22/13@1s since
// 2026-01-01. A text that is not a fingerprint of uid's is returned as it is.
func Layout(fingerprint string) string {
	f := form.FindStringSubmatch(fingerprint)
	if f == nil {
		return fingerprint
	}
	// Numbers that the expression accepts, but that overflow, are not uid's.
	ms, _ := strconv.ParseInt(f[8], 10, 64)
	tick, _ := strconv.ParseInt(f[9], 10, 64)
	return Text(cmp.Or(f[1], "tws"), [5]string(f[2:7]), f[7], time.Duration(ms)*time.Millisecond,
		time.UnixMilli(tick*ms))
}

// Text is what uid.Layout.String returns, of a layout with these letters of its order. Its bits are
// those of time, worker, turn, sequence and tail.
func Text(order string, bits [5]string, tail string, unit time.Duration, epoch time.Time) string {
	of, rest := map[byte]string{'t': bits[0], 'w': bits[1], 's': bits[3]}, ""
	if bits[2] != "0" || bits[4] != "0" || tail != "0" { // five fields, the turn above the sequence
		of['s'], rest = bits[2]+"/"+bits[3], "/"+bits[4]
	}
	if tail != "0" {
		rest += "=" + tail
	}
	// A unit is 24h, not 24h0m0s.
	short := strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(unit.String())
	return strings.TrimPrefix(order+":", "tws:") + of[order[0]] + "/" + of[order[1]] + "/" +
		of[order[2]] + rest + "@" + short + " since " + timeText(epoch)
}

// timeText writes a time in UTC, a midnight as its date alone.
func timeText(t time.Time) string {
	t = t.UTC()
	if t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}
