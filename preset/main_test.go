package preset

import (
	"encoding/json"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/internal/leaks"
	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) {
	epoch.Move()
	os.Exit(leaks.Run(m))
}

var discard = slog.New(slog.DiscardHandler)

func mustNamed(t testing.TB, name string) uid.DefaultConfig {
	t.Helper()
	c, err := Named(name)
	require.NoError(t, err)
	return c
}

// quiet is the preset of that name for a worker id that is thrown away.
func quiet(t testing.TB, name string) uid.DefaultConfig {
	c := mustNamed(t, name)
	c.Logger, c.AllowRepeats = discard, true
	return c
}

// take takes n ids one by one.
func take(t testing.TB, g *uid.DefaultGenerator, n int) (ids []uid.ID) {
	for range n {
		id, err := g.GetUID()
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

// vector is a layout of the golden file with ids of the original system.
type vector struct {
	Layout struct {
		Name        string `json:"name"`
		Order       string `json:"order"`
		UnitMs      int64  `json:"unit_ms"`
		EpochUnixMs int64  `json:"epoch_unix_ms"`
		TimeBits    int    `json:"time_bits"`
		WorkerBits  int    `json:"worker_bits"`
		TurnBits    int    `json:"turn_bits"`
		SeqBits     int    `json:"seq_bits"`
		TailBits    int    `json:"tail_bits"`
		TailValue   int64  `json:"tail_value"`
	} `json:"layout"`
	Cases []struct {
		ID         uid.ID `json:"id"`
		Tick       int64  `json:"tick"`
		Worker     int64  `json:"worker"`
		Turn       int64  `json:"turn"`
		Seq        int64  `json:"seq"`
		TimeUnixMs int64  `json:"time_unix_ms"`
	} `json:"cases"`
}

func (v vector) layout() uid.Layout {
	l := v.Layout
	return uid.Layout{
		Epoch: time.UnixMilli(l.EpochUnixMs).UTC(), Unit: time.Duration(l.UnitMs) * time.Millisecond,
		TimeBits: l.TimeBits, WorkerBits: l.WorkerBits, TurnBits: l.TurnBits,
		SeqBits: l.SeqBits, TailBits: l.TailBits, Tail: l.TailValue,
		Order: map[string]uid.Order{"": 0, "tws": 0, "tsw": uid.TimeSequenceWorker,
			"wts": uid.WorkerTimeSequence}[l.Order],
	}
}

func readVectors(t *testing.T) map[string]vector {
	t.Helper()
	byName := map[string]vector{}
	for _, file := range []string{"layouts.json", "orders.json"} {
		data, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		var list []vector
		require.NoError(t, json.Unmarshal(data, &list))
		for _, v := range list {
			require.NotContains(t, byName, v.Layout.Name)
			byName[v.Layout.Name] = v
		}
	}
	return byName
}
