package codecs

import (
	"encoding"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// order is a kind whose ids are shown hidden.
type order struct{}

func (order) Prefix() string     { return "ord" }
func (order) Keys() *opaque.Keys { return keys }

var keys, _ = opaque.ParseKeys("1:000102030405060708090a0b0c0d0e0f")

func TestBSONIsChecked(t *testing.T) {
	read := survives(t, bson.Marshal, bson.Unmarshal)
	t.Run("uid.ID", func(t *testing.T) { inDocuments(t, id, int64(id)) })
	t.Run("typeid.ID", func(t *testing.T) { inDocuments(t, typeid.ID[order](id), int64(id)) })
	t.Run("typeid.UUID", func(t *testing.T) {
		inDocuments(t, typeid.UUID[order]{ID: typeid.ID[order](id)}, int64(id))
	})
	shown, err := keys.Hide(id)
	require.NoError(t, err)
	t.Run("opaque.ID", func(t *testing.T) { inDocuments(t, shown, shown.String()) })

	for _, value := range []any{int64(5), int32(5), "5", "005"} {
		reads(t, read, value, 5)
	}
	for _, id := range []any{uid.ID(-5), typeid.ID[order](-5), opaque.ID{Key: 4}} {
		_, err := bson.Marshal(fields(id))
		assert.Error(t, err, "%T", id)
	}
}

// inDocuments asserts how ids of a type are stored, and that nothing else is read as one.
func inDocuments[T interface {
	comparable
	encoding.TextMarshaler
	fmt.Stringer
}](t *testing.T, id T, stored any) {
	type document struct {
		ID    T
		Maybe *T
		Many  []T
		Each  map[T]T `bson:",omitempty"`
	}
	decode := func(doc any, to *document) error {
		data, err := bson.Marshal(doc)
		require.NoError(t, err)
		return bson.Unmarshal(data, to)
	}
	want := document{id, &id, []T{id, id}, map[T]T{id: id}}
	var got document
	require.NoError(t, decode(want, &got))
	assert.Equal(t, want, got)
	data, err := bson.Marshal(want)
	require.NoError(t, err)
	var plain bson.M
	require.NoError(t, bson.Unmarshal(data, &plain))
	assert.Equal(t, bson.M{"id": stored, "maybe": stored, "many": bson.A{stored, stored},
		"each": bson.D{{Key: id.String(), Value: stored}}}, plain)

	require.NoError(t, decode(bson.M{"maybe": nil}, &got))
	assert.Nil(t, got.Maybe)
	require.NoError(t, decode(document{ID: id}, &got), "a nil *%v is null", reflect.TypeOf(id))
	assert.Nil(t, got.Maybe)

	ten, err := bson.ParseDecimal128("10")
	require.NoError(t, err)
	for _, value := range []any{nil, 1.0, 1.19111846907904e17, true, int64(-5), int32(-5), "-5", "",
		" 5", ten, time.Now(), bson.NewObjectID(), bson.M{}, bson.A{}, []byte("5"), bson.Undefined{}} {
		was := document{ID: id}
		err := decode(bson.M{"id": value}, &was)
		require.Error(t, err, "%T %[1]v", value)
		assert.Equal(t, id, was.ID)
		require.Error(t, decode(bson.M{"many": bson.A{value}}, &was), "%T %[1]v", value)
		if value != nil {
			require.Error(t, decode(bson.M{"maybe": value}, &was), "%T %[1]v", value)
		}
	}
}

// A null leaves zeros of an array, which are no id.
func TestBSONsNullIsNoIDInAUUID(t *testing.T) {
	data, err := bson.Marshal(bson.M{"shown": nil})
	require.NoError(t, err)
	var got struct{ Shown opaque.UUID }
	require.NoError(t, bson.Unmarshal(data, &got))
	_, err = got.Shown.ID()
	require.ErrorIs(t, err, uid.ErrSyntax)
}
