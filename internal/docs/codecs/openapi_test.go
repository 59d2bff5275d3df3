package codecs

import (
	"io"
	"log"
	"reflect"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/swaggo/swag"

	"github.com/ringuid/ringuid/uid"
)

func humas(t *testing.T) {
	registry := huma.NewMapRegistry("#/", huma.DefaultSchemaNamer)
	schema := huma.SchemaFromType(registry, reflect.TypeFor[row]())
	for _, field := range []string{"id", "maybe"} {
		assert.Equal(t, "string", schema.Properties[field].Type, field)
	}
}

func kin(t *testing.T) {
	schema, err := openapi3gen.NewSchemaRefForValue(row{}, nil)
	require.NoError(t, err)
	for _, field := range []string{"id", "maybe"} {
		assert.True(t, schema.Value.Properties[field].Value.Type.Is("integer"), field)
	}
	schema, err = openapi3gen.NewSchemaRefForValue(row{}, nil, openapi3gen.SchemaCustomizer(
		func(_ string, t reflect.Type, _ reflect.StructTag, schema *openapi3.Schema) error {
			if t == reflect.TypeFor[uid.ID]() {
				schema.Type, schema.Format = &openapi3.Types{"string"}, ""
			}
			return nil
		}))
	require.NoError(t, err)
	for _, field := range []string{"id", "maybe"} {
		assert.True(t, schema.Value.Properties[field].Value.Type.Is("string"), field)
	}
}

func swaggo(t *testing.T) {
	parser := swag.New(swag.SetDebugger(log.New(io.Discard, "", 0)))
	// The second folder is what the command finds with --parseDependency.
	dirs := []string{"testdata/openapi", "../../../uid"}
	require.NoError(t, parser.ParseAPIMultiSearchDir(dirs, "main.go", 0))
	fields := parser.GetSwagger().Definitions["openapi.Order"].Properties
	assert.EqualValues(t, []string{"integer"}, fields["id"].Type)
	assert.EqualValues(t, []string{"string"}, fields["shown"].Type)
}
