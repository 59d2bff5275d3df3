package codecs

import (
	"database/sql"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/jinzhu/copier"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ugorji/go/codec"

	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// copiers copies rows of a database into what is sent, and back.
func copiers(t *testing.T) {
	type sent struct{ ID string }
	for _, from := range []any{row{ID: id}, row{ID: id + 1}, struct{ ID typeid.ID[order] }{5e18}} {
		var to sent
		require.NoError(t, copier.Copy(&to, from))
		assert.Equal(t, sent{"\uFFFD"}, to)
	}
	var short struct{ ID int32 }
	require.NoError(t, copier.Copy(&short, row{ID: id}))
	assert.EqualValues(t, -75726847, short.ID)
	for from, want := range map[any]uid.ID{sent{id.String()}: id, sent{"-5"}: 7, sent{""}: 7,
		struct{ ID int64 }{-5}: -5, struct{ ID float64 }{5.5}: 5} {
		got := row{ID: 7}
		require.NoError(t, copier.Copy(&got, from), "%v", from)
		assert.Equal(t, want, got.ID, "%v", from)
	}

	write := func(from any) (any, error) { return from.(uid.ID).String(), nil }
	read := func(from any) (any, error) { return uid.ParseID(from.(string)) }
	checked := copier.Option{Converters: []copier.TypeConverter{
		{SrcType: uid.ID(0), DstType: "", Fn: write}, {SrcType: "", DstType: uid.ID(0), Fn: read},
	}}
	var to sent
	require.NoError(t, copier.CopyWithOption(&to, row{ID: id}, checked))
	assert.Equal(t, sent{id.String()}, to)
	var back row
	require.NoError(t, copier.CopyWithOption(&back, to, checked))
	assert.Equal(t, row{ID: id}, back)
	require.Error(t, copier.CopyWithOption(&back, sent{"-5"}, checked))
}

func equal(t *testing.T) {
	of := func(v any) string {
		text, args, err := squirrel.Eq{"boss": v}.ToSql()
		require.NoError(t, err)
		assert.Empty(t, args)
		return text
	}
	assert.Panics(t, func() { of((*uid.ID)(nil)) })
	assert.Equal(t, "boss IS NULL", of(sql.Null[uid.ID]{}))
}

func ugorjis(t *testing.T) {
	for name, handle := range map[string]codec.Handle{"JSON": &codec.JsonHandle{},
		"CBOR": &codec.CborHandle{}, "msgpack": &codec.MsgpackHandle{}} {
		t.Run(name, func(t *testing.T) {
			encode := func(v any) (data []byte, err error) {
				return data, codec.NewEncoderBytes(&data, handle).Encode(v)
			}
			decode := func(data []byte, to any) error {
				return codec.NewDecoderBytes(data, handle).Decode(to)
			}
			read := survives(t, encode, decode)
			reads(t, read, int64(id), id)
			refuses(t, read, 5.5, true, "")
			got := row{ID: 7}
			require.NoError(t, read(nil, &got))
			assert.Equal(t, row{}, got)
			if name == "JSON" {
				refuses(t, read, -5)
				return
			}
			reads(t, read, -5, -5)
		})
	}
}
