package uid

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzLayout composes and parses with any layout at all: one that Validate
// takes must lose nothing, one that it refuses must give no id, and no input
// may panic.
func FuzzLayout(f *testing.F) {
	f.Add(int64(1767225600), int64(1000), 28, 22, 0, 13, 0, int64(0), int64(5), int64(6), int64(0),
		int64(7), uint8(WorkerTimeSequence))
	f.Add(int64(1672531200), int64(86400000), 17, 4, 1, 40, 1, int64(1), int64(1096), int64(3),
		int64(1), int64(1), uint8(TimeSequenceWorker))
	f.Add(int64(firstEpoch), int64(1), 63, 0, 0, 0, 0, int64(0), int64(math.MaxInt64), int64(0),
		int64(0), int64(0), uint8(0))
	f.Add(int64(lastEpoch), int64(86400000), 63, 0, 0, 0, 0, int64(0), int64(math.MaxInt64), int64(0),
		int64(0), int64(0), uint8(0))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), 70, -10, -1, 3, 64, int64(-1), int64(-1),
		int64(-1), int64(-1), int64(-1), uint8(orders))
	f.Fuzz(func(t *testing.T, epoch, unitMs int64, timeBits, worker, turn, seq, tail int, tailValue,
		tick, w, r, s int64, order uint8) {
		l := Layout{
			Epoch: time.Unix(epoch, 0).UTC(), Unit: time.Duration(unitMs) * time.Millisecond,
			TimeBits: timeBits, WorkerBits: worker, TurnBits: turn, SeqBits: seq, TailBits: tail,
			Tail: tailValue, Order: Order(order),
		}
		parts := Parts{Tick: tick, Worker: w, Turn: r, Seq: s}
		id, err := l.Compose(parts)
		_, _, _ = l.String(), l.End(), l.fingerprint()
		if l.Validate() != nil {
			require.ErrorIs(t, err, ErrLayout)
			return
		}
		if err != nil {
			require.ErrorIs(t, err, ErrRange)
			require.Zero(t, id)
			return
		}
		require.GreaterOrEqual(t, id, ID(0))
		got, err := l.Parse(id)
		require.NoError(t, err)
		require.False(t, got.Time.After(l.End()))
		parts.Time = got.Time
		require.Equal(t, parts, got)
	})
}

// FuzzDecodeID gives any text to every decoder of ids. All of them agree, take
// nothing negative, and what they take is written back as the same number.
func FuzzDecodeID(f *testing.F) {
	for _, s := range []string{"0", "9223372036854775807", "9223372036854775808", "-1", "+1", "007",
		"null", `"5"`, `"`, "7ZZZZZZZZZZZZ", "8zzzzzzzzzzzz", "oil1OIL100000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, wantErr := ParseID(s)
		if wantErr != nil {
			require.ErrorIs(t, wantErr, ErrSyntax)
		} else {
			require.GreaterOrEqual(t, want, ID(0))
			require.Equal(t, want.String(), trimZeros(s))
		}
		var text, scanned, scannedBytes, quoted, bare ID
		for name, decode := range map[string]struct {
			id  *ID
			err error
		}{
			"text":       {&text, text.UnmarshalText([]byte(s))},
			"Scan":       {&scanned, scanned.Scan(s)},
			"Scan bytes": {&scannedBytes, scannedBytes.Scan([]byte(s))},
			"JSON":       {&quoted, quoted.UnmarshalJSON([]byte(`"` + s + `"`))},
		} {
			require.Equal(t, wantErr, decode.err, name)
			require.Equal(t, want, *decode.id, name)
		}
		if json.Unmarshal([]byte(s), &bare) == nil {
			data, err := json.Marshal(bare)
			require.NoError(t, err)
			require.Equal(t, `"`+bare.String()+`"`, string(data))
		}
		if id, err := ParseBase32(s); err == nil {
			require.GreaterOrEqual(t, id, ID(0))
			again, err := ParseBase32(id.Base32())
			require.NoError(t, err)
			require.Equal(t, id, again)
		}
	})
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
