package uid

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/worker"
)

// inOrder returns where the bits of the fields are kept, in the order of the layout's text. It
// has either both turn and tail or neither.
func (l *Layout) inOrder(withTurn bool) (bits []*int) {
	of := map[rune][]*int{'t': {&l.TimeBits}, 'w': {&l.WorkerBits}, 's': {&l.SeqBits}}
	if withTurn {
		of['s'] = []*int{&l.TurnBits, &l.SeqBits}
	}
	for _, letter := range l.Order.letters() {
		bits = append(bits, of[letter]...)
	}
	if withTurn {
		bits = append(bits, &l.TailBits)
	}
	return bits
}

// String describes the layout in one line, which [ParseLayout] reads, such as
//
//	41/10/12@1ms since 2026-01-01
//
// With a turn bit or a tail, the line has all five fields: 33/10/1/14/5=31, where =31 is
// the Tail. The bits are in the layout's Order. An order other than the first puts its letters
// before them: tsw:39/8/16 is time, sequence, worker.
func (l Layout) String() string {
	var bits [5]string
	for i, n := range [...]int{l.TimeBits, l.WorkerBits, l.TurnBits, l.SeqBits, l.TailBits} {
		bits[i] = strconv.Itoa(n)
	}
	return fingerprint.Text(l.Order.letters(), bits, strconv.FormatInt(l.Tail, 10), l.Unit, l.Epoch)
}

// MarshalText returns what String does, so that a layout can be used in JSON, YAML or a flag.
// For an invalid layout, the error wraps ErrLayout.
func (l Layout) MarshalText() ([]byte, error) { return []byte(l.String()), l.Validate() }

// UnmarshalText reads a layout as ParseLayout does.
func (l *Layout) UnmarshalText(text []byte) error {
	v, err := ParseLayout(string(text))
	if err == nil {
		*l = v
	}
	return err
}

// Need returns what the layout requires of its worker ids, for a [worker.Assigner] and
// for [worker.Init].
func (l Layout) Need() worker.Need {
	return worker.Need{Unit: l.Unit, MaxID: l.MaxWorker(), Fingerprint: l.fingerprint()}
}

// fingerprint names what the layout's ids depend on: two layouts have the same
// fingerprint exactly when they make the same ids for the same times. Holders of
// one worker id must agree on it. It is meant to be stored: it has fewer than 64
// characters, and stays the same in later versions. An epoch counts as the tick
// that it lies in.
//
// The fingerprint of an invalid layout is empty.
func (l Layout) fingerprint() string {
	if l.Validate() != nil {
		return ""
	}
	order, plain := "", l
	plain.Order = TimeWorkerSequence
	if l.fields().counted != plain.fields().counted { // else the ids are the same
		order = l.Order.letters() + "."
	}
	return fmt.Sprintf("%s%d.%d.%d.%d.%d=%d@%dms+%d",
		order, l.TimeBits, l.WorkerBits, l.TurnBits, l.SeqBits, l.TailBits, l.Tail, l.Unit.Milliseconds(),
		l.epochTick())
}

// ParseLayout reads a layout as it is written on a command line:
//
//	TIME/WORKER/SEQ[@UNIT]              28/22/13, 41/10/12@1ms
//	TIME/WORKER/TURN/SEQ/TAIL[@UNIT]    41/4/1/17/0@1ms, 33/10/1/14/5=31
//
// in bits, where =31 gives the tail's value and UNIT is a time.Duration, one
// second by default. With the letters of another order in front, the fields are in that
// order, from the highest to the lowest:
//
//	tsw:TIME/SEQ/WORKER[@UNIT]          tsw:39/8/16@10ms, with a turn tsw:38/1/8/16/0@10ms
//	wts:WORKER/TIME/SEQ[@UNIT]          wts:10/41/12@1ms, with a turn wts:10/40/1/12/0@1ms
//
// It also reads what Layout.String writes, with " since " before the epoch. If there is none, the
// epoch is DefaultLayout's. The result is valid; errors wrap ErrLayout.
func ParseLayout(s string) (Layout, error) {
	l := Layout{Epoch: DefaultLayout().Epoch, Unit: time.Second}
	text, since, hasEpoch := strings.Cut(s, " since ")
	if hasEpoch {
		epoch, err := time.Parse(time.DateOnly, since)
		if err != nil {
			epoch, err = time.Parse(time.RFC3339Nano, since)
		}
		if err != nil {
			return Layout{}, fmt.Errorf("%w: %q: the epoch is like 2026-01-01T08:00:00Z", ErrLayout, s)
		}
		l.Epoch = epoch.UTC()
	}
	if letters, rest, ok := strings.Cut(text, ":"); ok {
		for letters != l.Order.letters() {
			if l.Order++; l.Order == orders {
				return Layout{}, fmt.Errorf("%w: %q: %q is no order of the fields: write tws, tsw or "+
					"wts for time, worker and sequence", ErrLayout, s, letters)
			}
		}
		text = rest
	}
	bits, unit, hasUnit := strings.Cut(text, "@")
	if hasUnit {
		d, err := time.ParseDuration(unit)
		if err != nil {
			return Layout{}, fmt.Errorf("%w: %q: the unit is like 1ms, 10ms, 1s or 24h", ErrLayout, s)
		}
		l.Unit = d
	}
	fields := strings.Split(bits, "/")
	if n := len(fields); n != 3 && n != 5 {
		return Layout{}, fmt.Errorf(
			"%w: %q: want time/worker/sequence bits, such as 28/22/13 or 41/10/12@1ms, or in another "+
				"order, such as tsw:39/8/16@10ms", ErrLayout, s)
	}
	var err error
	if tailBits, tail, ok := strings.Cut(fields[len(fields)-1], "="); ok && len(fields) == 5 {
		if l.Tail, err = strconv.ParseInt(tail, 10, 64); err != nil {
			return Layout{}, fmt.Errorf("%w: %q: %q is not a tail", ErrLayout, s, tail)
		}
		fields[4] = tailBits
	}
	for i, bits := range l.inOrder(len(fields) == 5) {
		if *bits, err = strconv.Atoi(fields[i]); err != nil {
			return Layout{}, fmt.Errorf("%w: %q: %q is not a number of bits", ErrLayout, s, fields[i])
		}
	}
	if err := l.Validate(); err != nil {
		return Layout{}, err
	}
	return l, nil
}
