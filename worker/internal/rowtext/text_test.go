package rowtext

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/worker/store"
)

func TestRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(label string) time.Time {
			return time.Unix(0, rapid.Int64Range(0, 1<<62).Draw(t, label)).UTC()
		}
		row := store.Row{
			Worker:  rapid.Int64Range(0, store.MaxRows).Draw(t, "worker"),
			Nonce:   store.Nonce(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "nonce")),
			Held:    rapid.Bool().Draw(t, "held"),
			High:    rapid.Int64().Draw(t, "high"),
			Expires: at("expires"),
			Renewed: at("renewed"),
			Owner:   rapid.String().Draw(t, "owner"),
		}
		back, err := ParseRow(row.Worker, Row(row))
		if err != nil || back != row {
			t.Fatalf("%+v came back as %+v, %v", row, back, err)
		}
	})
}

var namespaceOfTests = store.Namespace{
	Name: "a", Fingerprint: "Layout-1 <&>", Unit: 10 * time.Millisecond, First: 5, Last: 9,
	Window: 100, Floor: -3,
}

func TestNamespacesComeBack(t *testing.T) {
	back, err := ParseNamespace("a", Namespace(namespaceOfTests))
	require.NoError(t, err)
	assert.Equal(t, namespaceOfTests, back)
}

func TestTextsOfOthers(t *testing.T) {
	row := string(Row(Free(7, -4, time.Unix(1, 0))))
	_, err := ParseRow(7, []byte(row))
	require.NoError(t, err)
	for what, text := range map[string]string{
		"nothing":          "",
		"no JSON":          "high=3",
		"cut":              row[:len(row)-1],
		"no nonce":         strings.Replace(row, "nonce", "n", 1),
		"a shorter nonce":  strings.Replace(row, `"nonce":"`, `"nonce":"00","x":"`, 1),
		"a nonce of words": `{"nonce":"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz","high":1}`,
		"no high":          strings.Replace(row, "high", "low", 1),
		"a fraction":       strings.Replace(row, `"high":`, `"high":0.5,"x":`, 1),
		"no time":          strings.Replace(row, `"expires":"`, `"expires":"soon`, 1),
	} {
		_, err := ParseRow(7, []byte(text))
		require.ErrorIs(t, err, store.ErrStore, what)
		assert.ErrorContains(t, err, "worker id 7", what)
	}
	for _, text := range []string{"", "{}", strings.Replace(string(Namespace(namespaceOfTests)),
		`"unit_ms":10`, `"unit_ms":0`, 1)} {
		_, err := ParseNamespace("a", []byte(text))
		require.ErrorIs(t, err, store.ErrStore, text)
		assert.ErrorContains(t, err, `"a"`)
	}
	for _, edit := range [][2]string{{`"window":100`, `"window":101`}, {`"last":9`, `"last":8`},
		{`"seal":"`, `"seal":"0`}} {
		text := string(Namespace(namespaceOfTests))
		require.Contains(t, text, edit[0])
		_, err := ParseNamespace("a", []byte(strings.Replace(text, edit[0], edit[1], 1)))
		require.ErrorIs(t, err, store.ErrNamespace, edit[1])
	}
}
