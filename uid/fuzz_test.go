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

// FuzzParse takes any number apart: what Parse takes, Compose gives back.
func FuzzParse(f *testing.F) {
	for _, id := range []int64{0, -1, 1<<53 | 5, math.MaxInt64, math.MinInt64, 3200169789968523265} {
		f.Add(id, 28, 22, 0, 13, 0, int64(0))
		f.Add(id, 30, 10, 1, 9, 3, int64(5))
	}
	f.Fuzz(func(t *testing.T, id int64, timeBits, worker, turn, seq, tail int, tailValue int64) {
		l := Layout{
			Epoch: DefaultLayout.Epoch, Unit: time.Second,
			TimeBits: timeBits, WorkerBits: worker, TurnBits: turn, SeqBits: seq, TailBits: tail,
			Tail: tailValue,
		}
		parts, err := l.Parse(ID(id))
		if err != nil {
			require.Zero(t, parts)
			return
		}
		got, err := l.Compose(parts)
		require.NoError(t, err)
		require.Equal(t, ID(id), got)
	})
}

// FuzzParseLayout: what is read is valid, and written again it reads the same.
func FuzzParseLayout(f *testing.F) {
	for _, s := range []string{"28/22/13", "41/10/12@1ms", "33/10/1/14/5=31",
		"1/0/0/0/62=4611686018427387903@24h", "28//13@", "=|@/", "tsw:39/8/16@10ms", "wts:9/40/1/10/3=5",
		"tsw:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLayout(s)
		if err != nil {
			require.ErrorIs(t, err, ErrLayout)
			return
		}
		require.NoError(t, l.Validate())
		_, err = l.Compose(Parts{})
		require.NoError(t, err)
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
