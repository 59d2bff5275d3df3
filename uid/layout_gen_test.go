package uid

import (
	"time"

	"pgregory.net/rapid"
)

// anyLayout draws valid layouts of every shape: the bits are cut at random, so
// that whole fields are often missing, and some ids are shorter than 63 bits.
func anyLayout() *rapid.Generator[Layout] {
	return rapid.Custom(func(t *rapid.T) Layout {
		l := Layout{
			Epoch: anyTime().Draw(t, "epoch"),
			Unit:  time.Duration(rapid.Int64Range(1, 24*60*60*1000).Draw(t, "unit ms")) * time.Millisecond,
		}
		left := idBits
		take := func(name string, atLeast, atMost int) int {
			n := rapid.IntRange(atLeast, min(atMost, left)).Draw(t, name)
			left -= n
			return n
		}
		l.TimeBits = take("time bits", 1, idBits)
		l.WorkerBits = take("worker bits", 0, idBits)
		l.TurnBits = take("turn bits", 0, 1)
		l.SeqBits = take("sequence bits", 0, idBits)
		l.TailBits = take("tail bits", 0, idBits)
		l.Tail = rapid.Int64Range(0, mask(l.TailBits)).Draw(t, "tail")
		return l
	})
}

// anyTime draws a time from the years 1 to 9999, in nanoseconds.
func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		sec := rapid.Int64Range(firstEpoch+1, lastEpoch).Draw(t, "seconds")
		nsec := rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")
		return time.Unix(sec, nsec).UTC()
	})
}

// anyParts draws parts that fit the layout, the time left out.
func anyParts(l Layout) *rapid.Generator[Parts] {
	return rapid.Custom(func(t *rapid.T) Parts {
		return Parts{
			Tick:   rapid.Int64Range(0, l.maxTick()).Draw(t, "tick"),
			Worker: rapid.Int64Range(0, l.MaxWorker()).Draw(t, "worker"),
			Turn:   rapid.Int64Range(0, mask(l.TurnBits)).Draw(t, "turn"),
			Seq:    rapid.Int64Range(0, l.maxSeq()).Draw(t, "seq"),
		}
	})
}
