package codecs

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// MarshalID writes an id for gqlgen, and for gqlgen.yml it is `model: example.com/shop/models.ID`
// if that is its package. An opaque or a typed id needs the same with its type.
func MarshalID(id uid.ID) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(_ context.Context, w io.Writer) error {
		return json.NewEncoder(w).Encode(id)
	})
}

// UnmarshalID reads an id that gqlgen has read: a text, or a number.
func UnmarshalID(_ context.Context, v any) (id uid.ID, err error) {
	err = id.UnmarshalText(fmt.Append(nil, v))
	return id, err
}

func gqlgen(t *testing.T) {
	ctx := graphql.WithResponseContext(t.Context(), graphql.DefaultErrorPresenter,
		graphql.DefaultRecover)
	write := func(id uid.ID) string {
		var b strings.Builder
		graphql.WrapContextMarshaler(ctx, MarshalID(id)).MarshalGQL(&b)
		return strings.TrimSpace(b.String())
	}
	assert.Equal(t, `"119111846907904001"`, write(id))
	assert.Empty(t, graphql.GetErrors(ctx))
	assert.Equal(t, "null", write(-5))
	require.ErrorIs(t, graphql.GetErrors(ctx), uid.ErrRange)
	assert.ErrorContains(t, graphql.GetErrors(ctx), "-5")
	for _, v := range []any{id.String(), json.Number(id.String()), int64(id)} {
		got, err := UnmarshalID(ctx, v)
		require.NoError(t, err, "%T", v)
		assert.Equal(t, id, got)
	}
	for _, v := range []any{nil, true, 5.5, float64(id), int64(-5), json.Number("1e3"), ""} {
		_, err := UnmarshalID(ctx, v)
		assert.ErrorIs(t, err, uid.ErrSyntax, "%v", v)
	}
}
