package codecs

import (
	"bytes"
	"database/sql"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	burntsushi "github.com/BurntSushi/toml"
	"github.com/ClickHouse/clickhouse-go/v2/lib/column"
	"github.com/bytedance/sonic"
	"github.com/fxamacker/cbor/v2"
	"github.com/go-viper/mapstructure/v2"
	goccyjson "github.com/goccy/go-json"
	goccyyaml "github.com/goccy/go-yaml"
	"github.com/gocql/gocql"
	jsoniter "github.com/json-iterator/go"
	koanfyaml "github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/viper"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"go.yaml.in/yaml/v3"
	"gorm.io/gorm"
	"gorm.io/gorm/utils/tests"

	"github.com/ringuid/ringuid/uid"
)

// fields are those of row, as other programs have them.
func fields(value any) map[string]any { return map[string]any{"id": value, "maybe": value} }

// reads asserts what a codec makes of a value in both fields.
func reads(t *testing.T, read func(value any, to *row) error, value any, want uid.ID) {
	t.Helper()
	var got row
	require.NoError(t, read(value, &got), "%v", value)
	assert.Equal(t, row{want, &want}, got, "%v", value)
}

// readsNull asserts what a codec makes of a null, where 7 was.
func readsNull(t *testing.T, read func(value any, to *row) error, want uid.ID) {
	t.Helper()
	was := uid.ID(7)
	got := row{was, &was}
	require.NoError(t, read(nil, &got))
	assert.Equal(t, row{ID: want}, got)
}

func refuses(t *testing.T, read func(value any, to *row) error, values ...any) {
	t.Helper()
	for _, value := range values {
		assert.Error(t, read(value, new(row)), "%v", value)
	}
}

// survives asserts that a codec reads what it wrote, and returns how it reads fields of others.
func survives(t *testing.T, encode func(any) ([]byte, error),
	decode func([]byte, any) error) (read func(value any, to *row) error) {
	t.Helper()
	n := id
	data, err := encode(row{n, &n})
	require.NoError(t, err)
	var got row
	require.NoError(t, decode(data, &got))
	assert.Equal(t, row{n, &n}, got)
	return func(value any, to *row) error {
		data, err := encode(fields(value))
		require.NoError(t, err)
		return decode(data, to)
	}
}

func gobs(t *testing.T) {
	encode := func(v any) ([]byte, error) {
		var b bytes.Buffer
		err := gob.NewEncoder(&b).Encode(v)
		return b.Bytes(), err
	}
	decode := func(data []byte, to any) error {
		return gob.NewDecoder(bytes.NewReader(data)).Decode(to)
	}
	survives(t, encode, decode)
	data, err := encode(struct{ ID int64 }{-5})
	require.NoError(t, err)
	var got row
	require.NoError(t, decode(data, &got))
	assert.EqualValues(t, -5, got.ID)
}

func cbors(t *testing.T) {
	read := survives(t, cbor.Marshal, cbor.Unmarshal)
	reads(t, read, int64(id), id)
	reads(t, read, -5, -5)
	readsNull(t, read, 7)
	refuses(t, read, 1.0, true, id.String())
}

func tomls(t *testing.T) {
	survives(t, toml.Marshal, toml.Unmarshal)
	read := func(value any, to *row) error {
		return toml.Unmarshal(fmt.Appendf(nil, "id = %v\nmaybe = %[1]v", value), to)
	}
	reads(t, read, int64(id), id)
	reads(t, read, -5, -5)
	refuses(t, read, "1.0", true, `"-5"`, `""`)
}

func TestBurntSushisTOMLIsChecked(t *testing.T) {
	survives(t, burntsushi.Marshal, burntsushi.Unmarshal)
	read := func(value any, to *row) error {
		return burntsushi.Unmarshal(fmt.Appendf(nil, "id = %v\nmaybe = %[1]v", value), to)
	}
	reads(t, read, int64(id), id)
	refuses(t, read, -5, "1.5", true, `"-5"`, `""`)
}

// Only YAML's null is skipped.
func TestJSONAndYAMLAreChecked(t *testing.T) {
	for name, decode := range map[string]func([]byte, any) error{
		"encoding/json": json.Unmarshal, "goccy/go-json": goccyjson.Unmarshal, "sonic": sonic.Unmarshal,
		"json-iterator": jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal,
		"yaml.v3":       yaml.Unmarshal,
		"goccy/go-yaml": func(data []byte, to any) error { return goccyyaml.Unmarshal(data, to) },
	} {
		t.Run(name, func(t *testing.T) {
			read := survives(t, json.Marshal, decode)
			reads(t, read, int64(id), id)
			reads(t, read, id.String(), id)
			refuses(t, read, -5, 1.5, true, "-5", "", " 5")
			if strings.Contains(name, "yaml") {
				readsNull(t, read, 7)
				return
			}
			assert.Error(t, read(nil, new(row)))
			var maybe struct{ Maybe *uid.ID }
			require.NoError(t, decode([]byte(`{"Maybe":null}`), &maybe))
			assert.Nil(t, maybe.Maybe)
		})
	}
}

func vipers(t *testing.T) {
	with := func(options ...viper.DecoderConfigOption) func(value any, to *row) error {
		return func(value any, to *row) error {
			data, err := json.Marshal(fields(value))
			require.NoError(t, err)
			file := viper.New()
			file.SetConfigType("json")
			require.NoError(t, file.ReadConfig(bytes.NewReader(data)))
			return file.Unmarshal(to, options...)
		}
	}
	read := with()
	reads(t, read, int64(id), id-1)
	reads(t, read, id.String(), id)
	reads(t, read, -5, -5)
	reads(t, read, "-5", -5)
	reads(t, read, 5.5, 5)
	reads(t, read, true, 1)

	hook := viper.DecodeHook(mapstructure.TextUnmarshallerHookFunc())
	read = with(hook)
	reads(t, read, id.String(), id)
	refuses(t, read, "-5", "", " 5", "5.5", "true")

	file := viper.New()
	file.Set("layout", uid.SnowflakeLayout().String())
	var config struct{ Layout uid.Layout }
	require.Error(t, file.Unmarshal(&config))
	require.NoError(t, file.Unmarshal(&config, hook))
	assert.Equal(t, uid.SnowflakeLayout().String(), config.Layout.String())
}

func koanfs(t *testing.T) {
	read := func(value any, to *row) error {
		data, err := json.Marshal(fields(value)) // which is YAML too
		require.NoError(t, err)
		file := koanf.New(".")
		require.NoError(t, file.Load(rawbytes.Provider(data), koanfyaml.Parser()))
		return file.Unmarshal("", to)
	}
	reads(t, read, int64(id), id)
	reads(t, read, -5, -5)
	reads(t, read, 5.5, 5)
	reads(t, read, true, 1)
	reads(t, read, id.String(), id)
	refuses(t, read, "-5", "", " 5", "5.5", "true")
}

func msgpacks(t *testing.T) {
	read := survives(t, msgpack.Marshal, msgpack.Unmarshal)
	reads(t, read, id.String(), id)
	refuses(t, read, int64(id), uint8(5), 1.0, true, "-5", "")
	readsNull(t, read, 0)
}

func cassandra(t *testing.T) {
	for _, column := range []gocql.Type{gocql.TypeBigInt, gocql.TypeCounter, gocql.TypeVarint} {
		info := gocql.NewNativeType(4, column, "")
		for _, want := range []uid.ID{id, -5} {
			data, err := gocql.Marshal(info, want)
			require.NoError(t, err)
			var got uid.ID
			require.NoError(t, gocql.Unmarshal(info, data, &got))
			assert.Equal(t, want, got)
		}
		was := uid.ID(7)
		got := row{was, &was}
		require.NoError(t, gocql.Unmarshal(info, nil, &got.ID))
		require.NoError(t, gocql.Unmarshal(info, nil, &got.Maybe))
		assert.Equal(t, row{}, got, "null is 0, and nil")
	}
	_, err := gocql.Marshal(gocql.NewNativeType(4, gocql.TypeVarchar, ""), id)
	assert.Error(t, err)
}

func clickHouse(t *testing.T) {
	for _, name := range []column.Type{"Int64", "UInt64", "Nullable(UInt64)"} {
		made, err := name.Column("id", new(column.ServerContext))
		require.NoError(t, err)
		require.NoError(t, made.AppendRow(id))
		var got uid.ID
		require.NoError(t, made.ScanRow(&got, 0))
		assert.Equal(t, id, got)
		assert.Error(t, made.AppendRow(uid.ID(-5)))
		assert.Panics(t, func() { _ = made.AppendRow((*uid.ID)(nil)) })
	}
	made, err := column.Type("Nullable(UInt64)").Column("id", new(column.ServerContext))
	require.NoError(t, err)
	require.NoError(t, made.AppendRow(sql.Null[uid.ID]{}))
	require.NoError(t, made.AppendRow(sql.Null[uid.ID]{V: id, Valid: true}))
	for i, want := range []sql.Null[uid.ID]{{}, {V: id, Valid: true}} {
		var got sql.Null[uid.ID]
		require.NoError(t, made.ScanRow(&got, i))
		assert.Equal(t, want, got)
	}
}

func first(t *testing.T) {
	db, err := gorm.Open(tests.DummyDialector{}, &gorm.Config{DryRun: true})
	require.NoError(t, err)
	assert.Panics(t, func() { db.First(new(row), (*uid.ID)(nil)) })
	assert.NotPanics(t, func() { db.First(new(row), sql.Null[uid.ID]{}) })
}

func quoted(t *testing.T) {
	type tagged struct {
		ID uid.ID `json:"id,string"`
	}
	for name, encode := range map[string]func(any) ([]byte, error){"encoding/json": json.Marshal,
		"goccy/go-json": goccyjson.Marshal, "sonic": sonic.Marshal} {
		data, err := encode(tagged{5})
		require.NoError(t, err, name)
		assert.Equal(t, `{"id":"5"}`, string(data), name)
	}
	data, err := jsoniter.ConfigCompatibleWithStandardLibrary.Marshal(tagged{5})
	require.NoError(t, err)
	assert.Equal(t, `{"id":""5""}`, string(data))
	got := tagged{7}
	require.NoError(t, sonic.Unmarshal([]byte(`{"id":null}`), &got))
	assert.EqualValues(t, 7, got.ID)
	require.Error(t, json.Unmarshal([]byte(`{"id":null}`), &got))
}

func formatted(t *testing.T) {
	assert.Equal(t, "313139", fmt.Sprintf("%x", uid.ID(119)))
	assert.Equal(t, "77 119 167 0000119", fmt.Sprintf("%x %d %o %07d", int64(uid.ID(119)), uid.ID(119),
		uid.ID(119), uid.ID(119)))
	type own uid.ID
	data, err := json.Marshal(own(119))
	require.NoError(t, err)
	assert.Equal(t, "119", string(data))
}
