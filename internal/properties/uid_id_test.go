package properties

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func TestIDsSurviveEveryEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")

		got, err := uid.ParseID(id.String())
		require.NoError(t, err)
		require.Equal(t, id, got)

		text, err := id.MarshalText()
		require.NoError(t, err)
		require.Equal(t, id.String(), string(text))
		var fromText uid.ID
		require.NoError(t, fromText.UnmarshalText(text))
		require.Equal(t, id, fromText)

		type row struct {
			ID   uid.ID            `json:"id"`
			Refs map[uid.ID]string `json:"refs"`
			None *uid.ID           `json:"none"`
		}
		want := row{ID: id, Refs: map[uid.ID]string{id: "itself"}}
		data, err := json.Marshal(want)
		require.NoError(t, err)
		var fromJSON row
		require.NoError(t, json.Unmarshal(data, &fromJSON))
		require.Equal(t, want, fromJSON)

		value, err := id.Value()
		require.NoError(t, err)
		require.Equal(t, int64(id), value)
		for _, src := range []any{value, uint64(id), id.String(), []byte(id.String())} {
			var scanned uid.ID
			require.NoError(t, scanned.Scan(src))
			require.Equal(t, id, scanned)
		}
	})
}
