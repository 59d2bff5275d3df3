package textstore

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(label string) time.Time {
			return time.Unix(0, rapid.Int64Range(0, 1<<62).Draw(t, label)).UTC()
		}
		unit := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, 24 * time.Hour})
		pool := store.Pool{Layout: "a layout", Unit: unit.Draw(t, "unit")}
		row := store.Row{
			Worker: rapid.Int64Range(0, 1<<62).Draw(t, "worker"),
			Nonce:  store.Nonce(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "nonce")),
			Open:   rapid.Bool().Draw(t, "open"),
		}
		if row.Open {
			row.High, row.Held = rapid.Int64().Draw(t, "high"), rapid.Bool().Draw(t, "held")
			row.Expires, row.Renewed = at("expires"), at("renewed")
			row.Owner = rapid.String().Draw(t, "owner")
		}
		in, back, err := Parse(Key{pool.Layout, row.Worker}, Marshal(pool, row))
		if err != nil || back != row || in != pool {
			t.Fatalf("%+v came back as %+v, %+v, %v", row, back, in, err)
		}
	})
}

func TestTextsOfOthers(t *testing.T) {
	pool := store.Pool{Layout: "a layout", Unit: 10 * time.Millisecond}
	row := Marshal(pool, store.Row{Worker: 7, Open: true, High: -4, Held: true,
		Expires: time.Unix(1, 0)})
	_, _, err := Parse(Key{"a layout", 7}, row)
	require.NoError(t, err)
	for what, text := range map[string]string{
		"nothing":             "",
		"no JSON":             "high=3",
		"cut":                 row[:len(row)-1],
		"no nonce":            strings.Replace(row, "nonce", "n", 1),
		"a shorter nonce":     strings.Replace(row, `"nonce":"`, `"nonce":"00","x":"`, 1),
		"a nonce of words":    strings.Replace(row, `"nonce":"0`, `"nonce":"z`, 1),
		"a fraction":          strings.Replace(row, `"high":`, `"high":0.5,"x":`, 1),
		"no time":             strings.Replace(row, `"expires":"`, `"expires":"soon`, 1),
		"no unit":             strings.Replace(row, `"unit_ms":10`, `"unit_ms":0`, 1),
		"a unit of an age":    strings.Replace(row, `"unit_ms":10`, `"unit_ms":9223372036854775807`, 1),
		"another window":      strings.Replace(row, `"window_ms":60000`, `"window_ms":90000`, 1),
		"a unit and a window": strings.Replace(row, `"unit_ms":10`, `"unit_ms":60000`, 1),
	} {
		require.NotEqual(t, row, text, what)
		_, _, err := Parse(Key{"a layout", 7}, text)
		require.ErrorIs(t, err, worker.ErrStore, what)
		assert.ErrorContains(t, err, "worker id 7 of layout a layout", what)
		assert.ErrorContains(t, err, "delete", what)
	}
}
