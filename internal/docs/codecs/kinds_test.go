package codecs

import (
	"net/url"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/go-playground/form/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	bson1 "go.mongodb.org/mongo-driver/bson"

	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

func mongo1(t *testing.T) {
	asDocuments(t, survives(t, bson1.Marshal, bson1.Unmarshal))
}

func dynamo(t *testing.T) {
	asDocuments(t, func(value any, to *row) error {
		item, err := attributevalue.MarshalMap(fields(value))
		require.NoError(t, err)
		return attributevalue.UnmarshalMap(item, to)
	})
}

func asDocuments(t *testing.T, read func(value any, to *row) error) {
	reads(t, read, int64(id), id)
	reads(t, read, -5, -5)
	reads(t, read, float64(id), id-1)
	readsNull(t, read, 0)
	refuses(t, read, id.String(), "", 5.5)
}

func forms(t *testing.T) {
	checks := form.NewDecoder()
	checks.RegisterCustomTypeFunc(func(texts []string) (any, error) {
		return uid.ParseID(texts[0])
	}, uid.ID(0))
	by := func(d *form.Decoder) func(value any, to *row) error {
		return func(value any, to *row) error {
			return d.Decode(to, url.Values{"id": {value.(string)}, "maybe": {value.(string)}})
		}
	}
	read := by(form.NewDecoder())
	reads(t, read, id.String(), id)
	reads(t, read, "-5", -5)
	var none row
	require.NoError(t, read("", &none))
	assert.Zero(t, none)
	refuses(t, read, "5.5", "true")
	read = by(checks)
	reads(t, read, id.String(), id)
	refuses(t, read, "-5", "", "+5", "5.5", "true")

	var hidden struct{ ID typeid.ID[order] }
	require.NoError(t, form.NewDecoder().Decode(&hidden, url.Values{"ID": {id.String()}}))
	assert.EqualValues(t, id, hidden.ID)
}
