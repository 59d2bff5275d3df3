package uid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Baidu's PR 52: a worker id or sequence that is too large spills into its neighbour.
func TestComposeRefusesWhatDoesNotFitItsField(t *testing.T) {
	l := Layout{
		Epoch: DefaultLayout().Epoch, Unit: time.Millisecond,
		TimeBits: 41, WorkerBits: 4, TurnBits: 1, SeqBits: 12, TailBits: 5, Tail: 31,
	}
	for _, c := range []struct {
		name  string
		parts Parts
		says  string
	}{
		{"tick below", Parts{Tick: -1}, "tick is -1: its 41-bit field holds 0 to 2199023255551"},
		{"tick above", Parts{Tick: 1 << 41}, "tick is 2199023255552"},
		{"worker above", Parts{Worker: 16}, "worker is 16"},
		{"turn above", Parts{Turn: 2}, "turn is 2: its 1-bit field holds 0 to 1"},
		{"sequence above", Parts{Seq: 1 << 12}, "seq is 4096"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id, err := l.Compose(c.parts)
			require.ErrorIs(t, err, ErrRange)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, id)
		})
	}
}

func TestParseRefusesIDsOfAnotherLayout(t *testing.T) {
	l := Layout{
		Epoch: DefaultLayout().Epoch, Unit: time.Second,
		TimeBits: 30, WorkerBits: 10, SeqBits: 10, TailBits: 3, Tail: 5,
	}
	for _, c := range []struct {
		name string
		id   ID
		says string
	}{
		{"negative", -1, "negative"},
		{"one bit too long", 1<<53 | 5, "more than the 53 bits"},
		{"another tail", 4, "has 4 in its lowest 3 bits"},
		{"no tail", 0, "Tail is 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, err := l.Parse(c.id)
			require.ErrorIs(t, err, ErrForeign)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, parts)
		})
	}
	_, err := l.Parse(1<<53 - 8 | 5)
	require.NoError(t, err, "the longest id of the layout")
}

func TestValidateNamesTheFieldAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Layout)
		says   string
	}{
		{"zero unit", func(l *Layout) { l.Unit = 0 },
			"Unit is 0s: set it to whole milliseconds from 1ms to 24h"},
		{"unit above 24 h", func(l *Layout) { l.Unit = 24*time.Hour + time.Millisecond },
			"Unit is 24h0m0.001s"},
		{"unit with part of a millisecond", func(l *Layout) { l.Unit = 1500 * time.Microsecond },
			"Unit is 1.5ms"},
		{"no epoch", func(l *Layout) { l.Epoch = time.Time{} }, "Epoch is not set"},
		{"epoch after 9999", func(l *Layout) { l.Epoch = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
			"Epoch is in the year 10000"},
		{"no time bits", func(l *Layout) { l.TimeBits = 0 }, "TimeBits is 0: set it to 1 to 63"},
		{"negative worker bits", func(l *Layout) { l.WorkerBits = -1 },
			"WorkerBits is -1: set it to 0 to 62"},
		{"too many worker bits", func(l *Layout) { l.WorkerBits = 63 }, "WorkerBits is 63"},
		{"an order that is none", func(l *Layout) { l.Order = orders }, "Order is 3: set it to"},
		{"two turn bits", func(l *Layout) { l.TurnBits = 2 }, "TurnBits is 2: set it to 0 to 1"},
		{"negative bits that make the sum right",
			func(l *Layout) { l.TimeBits, l.SeqBits, l.WorkerBits = 60, -10, 13 }, "SeqBits is -10"},
		{"too many tail bits", func(l *Layout) { l.TailBits = 63 }, "TailBits is 63"},
		{"64 bits", func(l *Layout) { l.SeqBits = 14 },
			"time 28 + worker 22 + turn 0 + sequence 14 + tail 0 are 64 bits: take 1 away"},
		{"tail without bits", func(l *Layout) { l.Tail = 1 },
			"Tail is 1: with TailBits 0 set it to 0 to 0"},
		{"negative tail", func(l *Layout) { l.Tail = -1 }, "Tail is -1"},
		{"tail too large", func(l *Layout) { l.SeqBits, l.TailBits, l.Tail = 11, 2, 4 },
			"Tail is 4: with TailBits 2 set it to 0 to 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := DefaultLayout()
			c.change(&l)
			err := l.Validate()
			require.ErrorIs(t, err, ErrLayout)
			assert.ErrorContains(t, err, c.says)

			_, err = l.Compose(Parts{})
			assert.ErrorIs(t, err, ErrLayout, "Compose")
			_, err = l.Parse(0)
			assert.ErrorIs(t, err, ErrLayout, "Parse")
			_, err = l.MinID(time.Now())
			assert.ErrorIs(t, err, ErrLayout, "MinID")
			_, err = l.MaxID(time.Now())
			assert.ErrorIs(t, err, ErrLayout, "MaxID")
			assert.Zero(t, l.End(), "End")
			assert.Empty(t, l.fingerprint(), "Fingerprint")
		})
	}
}
