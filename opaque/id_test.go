package opaque

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func anyID() *rapid.Generator[ID] {
	return rapid.Custom(func(t *rapid.T) ID {
		return ID{
			Number: uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "number")),
			Key:    rapid.IntRange(0, maxKey).Draw(t, "key"),
		}
	})
}

func TestShownIDsSurviveTextJSONAndUUID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")
		require.Len(t, id.String(), textSize)
		got, err := Parse(id.String())
		require.NoError(t, err)
		require.Equal(t, id, got)

		data, err := json.Marshal(map[ID]ID{id: id})
		require.NoError(t, err)
		var back map[ID]ID
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, map[ID]ID{id: id}, back)

		u, err := id.UUID()
		require.NoError(t, err)
		got, err = u.ID()
		require.NoError(t, err)
		require.Equal(t, id, got)
		parsed, err := ParseUUID(strings.ToUpper(u.String()))
		require.NoError(t, err)
		require.Equal(t, u, parsed)
		data, err = json.Marshal(u)
		require.NoError(t, err)
		require.Equal(t, `"`+u.String()+`"`, string(data))
		require.NoError(t, json.Unmarshal(data, &parsed))
		require.Equal(t, u, parsed)
	})
}

func TestTextsAndUUIDsSortAsTheNumbersDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyID().Draw(t, "a"), anyID().Draw(t, "b")
		b.Key = a.Key
		require.Equal(t, a.Number < b.Number, a.String() < b.String())
		u, _ := a.UUID()
		v, _ := b.UUID()
		require.Equal(t, a.Number < b.Number, u.String() < v.String())
	})
}

func TestTextsThatAreNoneAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "too short": "000000000000", "too long": "00000000000000",
		"upper case": "000000000000Z", "the letter o for a 0": "o000000000000",
		"the letter l for a 1": "0l00000000000", "the letter u": "00u0000000000",
		"a hyphen": "000000-000000", "not ASCII": "00000000000é",
	} {
		id, err := Parse(text)
		require.ErrorIs(t, err, uid.ErrSyntax, name)
		assert.ErrorContains(t, err, "is not 13 characters of 0123456789abcdefghjkmnpqrstvwxyz", name)
		assert.Zero(t, id, name)
	}
	_, err := Parse(strings.Repeat("0", 1<<20))
	require.ErrorIs(t, err, uid.ErrSyntax)
	assert.Less(t, len(err.Error()), 200)
}

func TestNullInJSONIsNoShownID(t *testing.T) {
	id := ID{Number: 7, Key: 1}
	for _, data := range []string{"null", "7", `""`, "{}", `"8000\u00300000000"`} {
		require.ErrorIs(t, json.Unmarshal([]byte(data), &id), uid.ErrSyntax, data)
	}
	assert.Equal(t, ID{Number: 7, Key: 1}, id, "a decoder that fails keeps the old one")
	var maybe *ID
	require.NoError(t, json.Unmarshal([]byte("null"), &maybe))
	assert.Nil(t, maybe)
}

func TestWhatCannotBeShownHasNoText(t *testing.T) {
	for _, c := range []struct {
		id  ID
		err error
	}{{ID{Number: -1}, uid.ErrRange}, {ID{Key: 4}, ErrKey}, {ID{Key: -1}, ErrKey}} {
		_, err := c.id.MarshalText()
		require.ErrorIs(t, err, c.err)
		_, err = json.Marshal(c.id)
		require.ErrorIs(t, err, c.err)
		_, err = c.id.UUID()
		require.ErrorIs(t, err, c.err)
		_, err = Parse(c.id.String())
		require.ErrorIs(t, err, uid.ErrSyntax, "%v", c.id)
	}
}
