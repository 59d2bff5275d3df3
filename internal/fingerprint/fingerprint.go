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
	order, rest := cmp.Or(f[1], "tws"), ""
	bits := map[byte]string{'t': f[2], 'w': f[3], 's': f[5]}
	if f[4] != "0" || f[6] != "0" { // five fields, the turn above the sequence
		bits['s'], rest = f[4]+"/"+f[5], "/"+f[6]
	}
	if f[7] != "0" {
		rest += "=" + f[7]
	}
	// Numbers that the expression accepts, but that overflow, are not uid's.
	ms, _ := strconv.ParseInt(f[8], 10, 64)
	tick, _ := strconv.ParseInt(f[9], 10, 64)
	return strings.TrimPrefix(order+":", "tws:") + bits[order[0]] + "/" + bits[order[1]] + "/" +
		bits[order[2]] + rest + "@" + Unit(time.Duration(ms)*time.Millisecond) + " since " +
		Time(time.UnixMilli(tick*ms))
}

// Unit writes a unit without the zeros of Duration.String: 24h, not 24h0m0s.
func Unit(unit time.Duration) string {
	s := unit.String()
	if cut, ok := strings.CutSuffix(s, "m0s"); ok {
		s = cut + "m"
	}
	if cut, ok := strings.CutSuffix(s, "h0m"); ok {
		s = cut + "h"
	}
	return s
}

// Time writes a time in UTC, a midnight as its date alone.
func Time(t time.Time) string {
	t = t.UTC()
	if t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}
