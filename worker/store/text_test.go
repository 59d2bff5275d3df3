package store_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestRowsComeBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	at := func() time.Time { return time.Unix(0, random.Int64N(1<<62)).UTC() }
	for _, unit := range []time.Duration{time.Millisecond, time.Second, 24 * time.Hour} {
		pool := store.Pool{Layout: "a layout", Unit: unit}
		for n := range 1000 {
			row := store.Row{Worker: random.Int64()}
			binary.LittleEndian.PutUint64(row.Nonce[n%8:], random.Uint64())
			if row.Open = n%4 > 0; row.Open {
				row.High, row.Held = int64(random.Uint64())>>random.IntN(64), n%2 > 0
				row.Expires, row.Renewed = at(), at()
				row.Slack = time.Duration(random.IntN(100_000)) * time.Millisecond
				row.Owner = []string{"", "a", `"\\<é
`, string(rune(random.IntN(0xd800)))}[n%3]
			}
			in, back, err := store.ParseRow(pool.Layout, row.Worker, row.Text(pool))
			require.NoError(t, err)
			require.Equal(t, row, back)
			require.Equal(t, pool, in)
		}
	}
}

func TestTextsOfOthers(t *testing.T) {
	pool := store.Pool{Layout: "a layout", Unit: 10 * time.Millisecond}
	row := store.Row{Worker: 7, Open: true, High: -4, Held: true,
		Expires: time.Unix(1, 0)}.Text(pool)
	_, _, err := store.ParseRow("a layout", 7, row)
	require.NoError(t, err)
	for what, text := range map[string]string{
		"nothing":             "",
		"no JSON":             "high=3",
		"cut":                 row[:len(row)-1],
		"no nonce":            strings.Replace(row, "nonce", "n", 1),
		"a shorter nonce":     strings.Replace(row, `"nonce":"`, `"nonce":"00","x":"`, 1),
		"a nonce of words":    strings.Replace(row, `"nonce":"0`, `"nonce":"z`, 1),
		"half a byte more":    strings.Replace(row, `"nonce":"0`, `"nonce":"00`, 1),
		"a byte more":         strings.Replace(row, `"nonce":"0`, `"nonce":"000`, 1),
		"a fraction":          strings.Replace(row, `"high":`, `"high":0.5,"x":`, 1),
		"no time":             strings.Replace(row, `"expires":"`, `"expires":"soon`, 1),
		"no unit":             strings.Replace(row, `"unit_ms":10`, `"unit_ms":0`, 1),
		"a unit of an age":    strings.Replace(row, `"unit_ms":10`, `"unit_ms":9223372036854775807`, 1),
		"a unit that wraps":   strings.Replace(row, `"unit_ms":10`, `"unit_ms":288230376151711754`, 1),
		"a negative one":      strings.Replace(row, `"unit_ms":10`, `"unit_ms":-288230376151711734`, 1),
		"a slack that wraps":  strings.Replace(row, `"slack_ms":`, `"slack_ms":18446744073710,"x":`, 1),
		"no slack":            strings.Replace(row, `"slack_ms":`, `"s":`, 1), // as of an older version
		"less than no slack":  strings.Replace(row, `"slack_ms":`, `"slack_ms":-1,"x":`, 1),
		"another window":      strings.Replace(row, `"window_ms":60000`, `"window_ms":90000`, 1),
		"a unit and a window": strings.Replace(row, `"unit_ms":10`, `"unit_ms":60000`, 1),
	} {
		require.NotEqual(t, row, text, what)
		_, _, err := store.ParseRow("a layout", 7, text)
		require.ErrorIs(t, err, worker.ErrStore, what)
		assert.ErrorContains(t, err, "worker id 7 of layout a layout", what)
	}
}
