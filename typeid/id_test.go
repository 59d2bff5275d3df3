package typeid

import (
	"bytes"
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

type (
	order   struct{}
	invoice struct{} // hidden
	voucher struct{} // hidden, and its keys are missing
	lineOf  struct{}
)

func (order) Prefix() string       { return "ord" }
func (invoice) Prefix() string     { return "inv" }
func (invoice) Keys() *opaque.Keys { return invoiceKeys }
func (voucher) Prefix() string     { return "voucher" }
func (voucher) Keys() *opaque.Keys { return nil }
func (lineOf) Prefix() string      { return "order_line" }

// invoiceKeys are those of opaque's golden numbers, the second one an earlier one.
var invoiceKeys = func() *opaque.Keys {
	keys, err := opaque.ParseKeys(
		"1:000102030405060708090a0b0c0d0e0f,2:202122232425262728292a2b2c2d2e2f")
	if err != nil {
		panic(err)
	}
	return keys
}()

var _ hidden = invoice{}

// A type may be the kind of its own ids.
type customer struct {
	ID   ID[customer]
	Name string
}

func (customer) Prefix() string { return "cus" }

func anyID() *rapid.Generator[int64] { return rapid.Int64Range(0, math.MaxInt64) }

func TestTheTextIsThePrefixAndTheID(t *testing.T) {
	for id, text := range map[ID[order]]string{
		0:                  "ord_0000000000000",
		31:                 "ord_000000000000z",
		538815673191686144: "ord_0eyj200001r00",
		math.MaxInt64:      "ord_7zzzzzzzzzzzz",
	} {
		assert.Equal(t, text, id.String())
	}
	assert.Equal(t, "order_line_0000000000001", ID[lineOf](1).String())
	assert.Equal(t, "cus_0000000000001", customer{ID: 1}.ID.String())
	assert.Equal(t, "inv_ecscm65krsxa8", ID[invoice](538815673191686144).String(),
		"opaque's golden text")
}

func TestIDsSurviveEveryEncoding(t *testing.T) {
	t.Run("as they are", func(t *testing.T) { surviveEveryEncoding[order](t) })
	t.Run("hidden", func(t *testing.T) { surviveEveryEncoding[invoice](t) })
}

func surviveEveryEncoding[K Kind](t *testing.T) {
	type row struct {
		ID   ID[K]            `json:"id" xml:"id,attr"`
		Next *ID[K]           `json:"next" xml:"next,attr,omitempty"`
		Text ID[K]            `json:"text" xml:"text"`
		Refs map[ID[K]]string `json:"refs" xml:"-"`
	}
	rapid.Check(t, func(t *rapid.T) {
		id := ID[K](anyID().Draw(t, "id"))
		got, err := Parse[K](id.String())
		require.NoError(t, err)
		require.Equal(t, id, got)

		want := row{ID: id, Text: id, Refs: map[ID[K]]string{id: "itself"}}
		if rapid.Bool().Draw(t, "next") {
			want.Next = &id
		}
		data, err := json.Marshal(want)
		require.NoError(t, err)
		require.Contains(t, string(data), `"id":"`+id.String()+`"`)
		var fromJSON row
		require.NoError(t, json.Unmarshal(data, &fromJSON))
		require.Equal(t, want, fromJSON)

		data, err = xml.Marshal(want)
		require.NoError(t, err)
		require.Contains(t, string(data), `<row id="`+id.String()+`"`)
		fromXML := row{Refs: want.Refs}
		require.NoError(t, xml.Unmarshal(data, &fromXML))
		require.Equal(t, want, fromXML)

		shown, err := id.Opaque()
		require.NoError(t, err)
		got, err = Reveal[K](shown)
		require.NoError(t, err)
		require.Equal(t, id, got)
	})
}

func TestTextsThatAreNoneAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, text, says string
		is               error
	}{
		{"empty", "", "has no prefix, want ord_ and 13 characters", uid.ErrSyntax},
		{"no prefix", "0eyj200001r00", "has no prefix", uid.ErrSyntax},
		{"prefix alone", "ord_", "is not 13 characters of", uid.ErrSyntax},
		{"an empty prefix", "_0eyj200001r00", `begins with "", want "ord"`, ErrKind},
		{"another's prefix", "user_0eyj200001r00", `begins with "user", want "ord"`, ErrKind},
		{"two underscores", "ord__0eyj200001r00", `begins with "ord_"`, ErrKind},
		{"upper case digits", "ord_0EYJ200001R00",
			"is not 13 characters of 0123456789abcdefghjkmnpqrstvwxyz", uid.ErrSyntax},
		{"above 63 bits", "ord_8000000000000", "above 2^63-1", uid.ErrRange},
		{"hidden", "ord_g000000000000", `hidden by key 2, and ids of "ord" have no keys`, opaque.ErrKey},
	} {
		t.Run(c.name, func(t *testing.T) {
			id, err := Parse[order](c.text)
			require.ErrorIs(t, err, uid.ErrSyntax)
			require.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, id)
		})
	}
	_, err := Parse[order](strings.Repeat("_", 1<<20))
	require.ErrorIs(t, err, ErrKind)
	assert.Less(t, len(err.Error()), 400)
}

func TestWhatIsNoTextIsRefused(t *testing.T) {
	id := ID[order](7)
	for _, data := range []string{"null", "7", "{}", `[""]`, "true"} {
		require.ErrorIs(t, json.Unmarshal([]byte(data), &id), uid.ErrSyntax, data)
	}
	require.ErrorIs(t, json.Unmarshal([]byte(`"user_0000000000007"`), &id), ErrKind)
	assert.Equal(t, ID[order](7), id, "a decoder that fails keeps the old id")
}

// Keys that somebody forgot to load must not show ids as they are.
func TestWithoutItsKeysAHiddenIDIsNotShown(t *testing.T) {
	id := ID[voucher](538815673191686144)
	_, err := id.MarshalText()
	require.ErrorIs(t, err, opaque.ErrKey)
	_, err = json.Marshal(id)
	require.ErrorIs(t, err, opaque.ErrKey)
	type page struct {
		ID ID[voucher] `xml:"id,attr"`
	}
	_, err = xml.Marshal(page{id})
	require.ErrorIs(t, err, opaque.ErrKey)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "id", id)
	for _, shown := range []string{id.String(), fmt.Sprintf("%v %+v %s", id, id, id), log.String()} {
		assert.Contains(t, shown, "opaque: missing or invalid key")
		assert.NotContains(t, shown, "538815")
		assert.NotContains(t, shown, "0eyj2")
	}
	_, err = Parse[voucher]("voucher_0eyj200001r00")
	require.ErrorIs(t, err, opaque.ErrKey)
}

func TestANegativeValueIsNeitherShownNorStored(t *testing.T) {
	for _, id := range []interface {
		encoding.TextMarshaler
		driver.Valuer
	}{ID[order](-1), ID[invoice](-1), UUID[order]{-1}} {
		_, err := id.MarshalText()
		require.ErrorIs(t, err, uid.ErrRange)
		value, err := id.Value()
		require.ErrorIs(t, err, uid.ErrRange)
		assert.NotNil(t, value, "who drops the error must not see NULL")
		var other UUID[order]
		require.Error(t, other.Scan(value), "nor another id")
		_, err = json.Marshal(id)
		require.ErrorIs(t, err, uid.ErrRange)
	}
	_, err := Parse[order](ID[order](-1).String())
	require.ErrorIs(t, err, uid.ErrSyntax)
}

func TestReadingATextAllocatesNothing(t *testing.T) {
	plain, hidden := ID[order](5).String(), ID[invoice](5).String()
	for name, f := range map[string]func(){
		"parse":        func() { _, _ = Parse[order](plain) },
		"parse hidden": func() { _, _ = Parse[invoice](hidden) },
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), name)
	}
}
