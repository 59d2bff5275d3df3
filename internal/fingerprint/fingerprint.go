// Package fingerprint shows people the layout that a fingerprint names. Stores keep the
// fingerprint, and package uid makes it, of which stores know nothing.
package fingerprint

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// An order's letters if it is not the first, the bits of time, worker, turn, sequence and
// tail, the tail, the unit, and the epoch's tick.
var form = regexp.MustCompile(
	`^(?:([tsw]{3})\.)?(\d+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)=(\d+)@(\d+)ms\+(-?\d+)$`)

// Layout is the layout as it is typed, and since when it counts: 28/22/13 since 2026-01-01.
// What is no fingerprint of uid's stays as it is.
func Layout(fingerprint string) string {
	f := form.FindStringSubmatch(fingerprint)
	if f == nil {
		return fingerprint
	}
	order, turn, tailBits, tail := f[1], f[4], f[6], f[7]
	bits := map[byte]string{'t': f[2], 'w': f[3], 's': f[5]}
	whole := turn != "0" || tailBits != "0" // five fields, the turn above the sequence
	if whole {
		bits['s'] = turn + "/" + bits['s']
	}
	var text strings.Builder
	if order == "" {
		order = "tws"
	} else {
		text.WriteString(order + ":")
	}
	text.WriteString(bits[order[0]] + "/" + bits[order[1]] + "/" + bits[order[2]])
	if whole {
		text.WriteString("/" + tailBits)
	}
	if tail != "0" {
		text.WriteString("=" + tail)
	}
	unit, epoch := times(f[8], f[9])
	if unit != time.Second {
		text.WriteString("@" + short(unit))
	}
	return text.String() + " since " + day(epoch)
}

func times(millis, tick string) (unit time.Duration, epoch time.Time) {
	// What the expression lets through and a number does not hold is not uid's.
	ms, _ := strconv.ParseInt(millis, 10, 64)
	n, _ := strconv.ParseInt(tick, 10, 64)
	return time.Duration(ms) * time.Millisecond, time.UnixMilli(n * ms).UTC()
}

// short writes a unit without the zeros of Duration.String: 24h, not 24h0m0s.
func short(unit time.Duration) string {
	s := unit.String()
	if cut, ok := strings.CutSuffix(s, "m0s"); ok {
		s = cut + "m"
	}
	if cut, ok := strings.CutSuffix(s, "h0m"); ok {
		s = cut + "h"
	}
	return s
}

// day is the date alone of a midnight.
func day(t time.Time) string {
	if t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}
