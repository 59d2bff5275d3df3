package codecs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// id is one whose last digits a float64 does not hold.
const id uid.ID = 119111846907904001

// row is what codecs read.
type row struct {
	ID    uid.ID  `json:"id" bson:"id" cbor:"id" msgpack:"id" toml:"id" yaml:"id" koanf:"id" mapstructure:"id" dynamodbav:"id" form:"id" codec:"id"`
	Maybe *uid.ID `json:"maybe" bson:"maybe" cbor:"maybe" msgpack:"maybe" toml:"maybe" yaml:"maybe" koanf:"maybe" mapstructure:"maybe" dynamodbav:"maybe" form:"maybe" codec:"maybe"`
}

// libraries are the rows of the guide's table, by their first cells.
var libraries = map[string]func(t *testing.T){
	"`encoding/gob`, fxamacker/cbor, go-toml 2, gocql, ugorji/go": func(t *testing.T) {
		t.Run("gob", gobs)
		t.Run("cbor", cbors)
		t.Run("toml", tomls)
		t.Run("gocql", cassandra)
		t.Run("ugorji", ugorjis)
	},
	"viper, mapstructure, koanf": func(t *testing.T) {
		t.Run("viper", vipers)
		t.Run("koanf", koanfs)
	},
	"MongoDB's driver 1, DynamoDB, go-playground/form": func(t *testing.T) {
		t.Run("MongoDB", mongo1)
		t.Run("DynamoDB", dynamo)
		t.Run("form", forms)
	},
	"vmihailenco/msgpack": msgpacks,
	"go-redis":            goRedis,
	"gqlgen":              gqlgen,
	"jinzhu/copier":       copiers,
	"clickhouse-go; squirrel's `Eq`; GORM's `First(&row, id)`": func(t *testing.T) {
		t.Run("clickhouse-go", clickHouse)
		t.Run("squirrel", equal)
		t.Run("GORM", first)
	},
	"bun's `nullzero`": nullZero,
	"huma; kin-openapi, swaggo": func(t *testing.T) {
		t.Run("huma", humas)
		t.Run("kin-openapi", kin)
		t.Run("swaggo", swaggo)
	},
	"json-iterator, sonic": quoted,
	"`fmt`":                formatted,
}

func TestTheGuidesTableOfLibraries(t *testing.T) {
	page, err := os.ReadFile("../../../docs/guide.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "\n| library |")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(table, "\n")[2:]
	assert.Len(t, lines, len(libraries))
	for _, line := range lines {
		name := strings.TrimSpace(strings.Split(line, "|")[1])
		test, ok := libraries[name]
		require.True(t, ok, "no test of %s", name)
		t.Run(name, test)
	}
}
