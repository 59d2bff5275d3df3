package main

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/uid"
)

// A taking is a key that a process takes: one after the other, in the order of time.
type taking struct {
	at      time.Time
	process int64
	nth     int // of all keys
	random  *rand.Rand
}

// A simulation makes the keys of a run, as 64 bits that sort like the key.
type simulation func(taking) uint64

// arrivals are keys in the order in which four processes commit them. They take keys at random
// moments, independent of each other, and commit within a millisecond, one after the other.
func arrivals(rows int, rate float64, key simulation) []uint64 {
	type commit struct {
		at  time.Time
		key uint64
	}
	random := rand.New(rand.NewPCG(1, 2))
	var commits []commit
	var free [4]time.Time
	now := time.Date(2026, time.July, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		now = now.Add(time.Duration(random.ExpFloat64() / rate * float64(time.Second)))
		p := random.IntN(len(free))
		begin := now
		if free[p].After(now) {
			begin = free[p]
		}
		free[p] = begin.Add(time.Duration(random.Int64N(int64(time.Millisecond))))
		commits = append(commits, commit{free[p], key(taking{begin, int64(p), i, random})})
	}
	slices.SortStableFunc(commits, func(a, b commit) int { return a.at.Compare(b.at) })
	var keys []uint64
	for _, c := range commits {
		keys = append(keys, c.key)
	}
	return keys
}

// ids simulates a generator that makes ids ahead of time and drops what it has after lag, each
// process at moments of its own. A lag of a tick is one that makes an id when it is asked.
func ids(layout string, lag time.Duration) simulation {
	l := must(uid.ParseLayout(layout))
	type position struct{ tick, seq int64 }
	positions := map[int64]position{}
	return func(t taking) uint64 {
		phase := time.Duration(t.process) * lag / 7
		made := t.at.Add(phase).Truncate(lag).Add(-phase)
		tick := int64(made.Sub(l.Epoch) / l.Unit)
		p, ok := positions[t.process]
		switch {
		case !ok || p.tick < tick:
			p = position{tick: tick}
		case p.seq == 1<<l.SeqBits-1:
			p = position{tick: p.tick + 1}
		default:
			p.seq++
		}
		positions[t.process] = p
		return uint64(must(l.Compose(uid.Parts{Tick: p.tick, Worker: t.process, Seq: p.seq})))
	}
}

func sequence(t taking) uint64 { return uint64(t.nth) }
func random(t taking) uint64   { return t.random.Uint64() }
func timed(t taking) uint64    { return uint64(t.at.UnixMilli())<<22 | t.random.Uint64()>>42 }

// pages is how many leaves a tree has in the end, and how full they are.
func pages(innoDB bool, key int, rate float64, s simulation) (n, density float64) {
	const rows = 60_000
	t := newTree(innoDB, key)
	for _, k := range arrivals(rows, rate, s) {
		t.insert(k)
	}
	n = float64(len(t.leaves))
	return n, rows / (n * float64(t.room))
}

// The claims of this project about indexes, as far as they rest on where pages are split.
// TestKeys has the servers.
func TestSimulatedIndexes(t *testing.T) {
	const asked, lag = time.Millisecond, 10 * time.Millisecond
	for _, x := range []struct {
		name   string
		innoDB bool
		rate   float64
		keys   simulation
		most   float64 // as a multiple of a sequence's pages
		least  float64
	}{
		{"cached, 200 rows a second", false, 200, ids("41/10/12@1ms", lag), 1.05, 1},
		{"cached, 2,000 rows a second", false, 2000, ids("41/10/12@1ms", lag), 1.05, 1},
		{"default, 200 rows a second", false, 200, ids("41/10/12@1ms", asked), 1.05, 1},
		{"default, 2,000 rows a second", false, 2000, ids("41/10/12@1ms", asked), 1.05, 1},
		{"seconds, 2,000 rows a second", false, 2000, ids("28/22/13@1s", time.Second), 1.6, 1.3},
		{"cached, InnoDB, 200 rows a second", true, 200, ids("41/10/12@1ms", lag), 1.05, 1},
		{"default, InnoDB, 200 rows a second", true, 200, ids("41/10/12@1ms", asked), 1.05, 1},
		{"seconds, InnoDB, 200 rows a second", true, 200, ids("28/22/13@1s", time.Second), 2, 1.5},
	} {
		t.Run(x.name, func(t *testing.T) {
			best, _ := pages(x.innoDB, 8, x.rate, sequence)
			n, density := pages(x.innoDB, 8, x.rate, x.keys)
			t.Logf("%.3f times a sequence's pages, %.0f %% full", n/best, 100*density)
			assert.LessOrEqual(t, n/best, x.most)
			assert.GreaterOrEqual(t, n/best, x.least)
		})
	}
}

func TestSimulatedDensities(t *testing.T) {
	for _, x := range []struct {
		name    string
		innoDB  bool
		key     int
		keys    simulation
		density float64
	}{
		{"sequence", false, 8, sequence, 0.9},
		{"sequence, InnoDB", true, 8, sequence, 15.0 / 16},
		{"UUIDv7", false, 16, timed, 0.9},
		{"UUIDv4", false, 16, random, 0.69}, // the logarithm of 2
		{"UUIDv4, InnoDB", true, 16, random, 0.69},
	} {
		_, density := pages(x.innoDB, x.key, 200, x.keys)
		assert.InDelta(t, x.density, density, 0.03, x.name)
	}
}
