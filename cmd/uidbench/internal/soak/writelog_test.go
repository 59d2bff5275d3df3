package soak

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func acquire(nonce, expect string, held bool) event {
	return event{Kind: sent, Write: &write{Nonce: nonce, Expect: expect, Held: held, Acquire: true}}
}

func extend(nonce, expect string) event {
	return event{Kind: sent, Write: &write{Nonce: nonce, Expect: expect, Held: true}}
}

func release(nonce, expect string) event {
	return event{Kind: sent, Write: &write{Nonce: nonce, Expect: expect, Held: true, Release: true}}
}

func yes(nonce string) event  { return event{Kind: answered, Nonce: nonce, Applied: true} }
func no(nonce string) event   { return event{Kind: answered, Nonce: nonce} }
func lost(nonce string) event { return event{Kind: answered, Nonce: nonce, Error: "timeout"} }

func TestTheWriteLogCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []event
		want   counts
	}{
		{"nothing", nil, counts{}},
		{"a life", []event{acquire("a", "0", false), yes("a"), extend("b", "a"), yes("b"), release("c", "b"), yes("c")},
			counts{acquired: 1, released: 1, writes: 3}},
		{"a takeover", []event{acquire("a", "0", true), yes("a")}, counts{acquired: 1, takeovers: 1, writes: 1}},
		{"a race that was lost", []event{acquire("a", "0", true), no("a")}, counts{writes: 1}},
		{"killed before the answer, and not applied", []event{acquire("a", "0", true)}, counts{writes: 1}},
		{"killed before the answer, and taken over", []event{acquire("a", "0", true), acquire("b", "a", true), yes("b")},
			counts{acquired: 2, takeovers: 2, writes: 2}},
		{"an answer that was lost, then found in the row", []event{acquire("a", "0", true), lost("a"), extend("b", "a"), yes("b")},
			counts{acquired: 1, takeovers: 1, writes: 2}},
		{"a release whose answer was lost", []event{release("a", "0"), lost("a"), acquire("b", "a", false), yes("b")},
			counts{acquired: 1, released: 1, writes: 2}},
		{"a new epoch", []event{{Kind: sent, Write: &write{Raise: true}}}, counts{writes: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l writeLog
			for _, e := range c.events {
				l.add(e)
			}
			assert.Equal(t, c.want, l.counts())
		})
	}
}

func TestAPauseIsNoGap(t *testing.T) {
	for _, c := range []struct {
		name   string
		pauses []interval
		want   time.Duration
	}{
		{"none", nil, 10},
		{"elsewhere", []interval{{0, 90}, {120, 130}}, 10},
		{"all of it", []interval{{90, 120}}, 0},
		{"the beginning", []interval{{90, 103}}, 7},
		{"two in the middle", []interval{{101, 103}, {105, 106}}, 7},
	} {
		assert.Equal(t, c.want, awake(interval{100, 110}, c.pauses), c.name)
	}
}
