package opaque

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// secret is one for tests, another for each n.
func secret(n byte) []byte {
	b := make([]byte, secretSize)
	for i := range b {
		b[i] = n<<4 | byte(i)
	}
	return b
}

func newKeys(t require.TestingT, current Key, earlier ...Key) *Keys {
	keys, err := NewKeys(current, earlier...)
	require.NoError(t, err)
	return keys
}

func TestWhatIsHiddenIsRevealed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := Key{Number: rapid.IntRange(1, maxKey).Draw(t, "number"),
			Secret: rapid.SliceOfNDistinct(rapid.Byte(), secretSize, secretSize, rapid.ID).Draw(t, "secret")}
		keys := newKeys(t, key)
		id := uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
		shown, err := keys.Hide(id)
		require.NoError(t, err)
		require.GreaterOrEqual(t, shown.Number, uid.ID(0))
		require.Equal(t, key.Number, shown.Key)
		got, err := keys.Reveal(shown)
		require.NoError(t, err)
		require.Equal(t, id, got)

		shown.Number = id // any number reveals some id, of which it is the only one
		got, err = keys.Reveal(shown)
		require.NoError(t, err)
		again, err := keys.Hide(got)
		require.NoError(t, err)
		require.Equal(t, shown, again)
	})
}

// Numbers of another implementation, so that what was shown once is revealed by every
// later version, and by ports to other languages.
func TestHiddenNumbersStayWhatTheyAre(t *testing.T) {
	keys := newKeys(t, Key{1, secret(0)}) // 000102030405060708090a0b0c0d0e0f
	for _, golden := range []struct {
		id, number uid.ID
		text, uuid string
	}{
		{0, 1357452881659441820, "95nn46gna8cmw", "25ad4868-5548-8653-a300-000000000000"},
		{1, 6595608911926803278, "dq22fbh0crete", "b7109eb8-8198-8769-b300-000000000000"},
		{538815673191686144, 7378466504428025160, "ecscm65krsxa8",
			"cccb2862-cf19-8ea9-8300-000000000000"},
		{math.MaxInt64, 8427495579740409659, "f9x3tjgw9m3sv", "e9e8f528-7134-81e7-9b00-000000000000"},
	} {
		shown, err := keys.Hide(golden.id)
		require.NoError(t, err)
		assert.Equal(t, ID{golden.number, 1}, shown)
		assert.Equal(t, golden.text, shown.String())
		u, err := shown.UUID()
		require.NoError(t, err)
		assert.Equal(t, golden.uuid, u.String())
	}
}

// The vector in bytes of the designers' Simon and Speck Implementation Guide (2019), which
// settles their order: a secret and a block are its bytes, a number is a block's in little
// endian.
func TestTheOrderOfBytesIsTheGuides(t *testing.T) {
	keys := newKeys(t, Key{1, []byte{0x00, 0x01, 0x02, 0x03, 0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12,
		0x13, 0x18, 0x19, 0x1a, 0x1b}})
	plain := binary.LittleEndian.Uint64([]byte{0x2d, 0x43, 0x75, 0x74, 0x74, 0x65, 0x72, 0x3b})
	cipher := binary.LittleEndian.Uint64([]byte{0x8b, 0x02, 0x4e, 0x45, 0x48, 0xa5, 0x6f, 0x8c})
	assert.Equal(t, cipher, keys.ciphers[1].encrypt(plain))
	shown, err := keys.Hide(uid.ID(plain))
	require.NoError(t, err)
	assert.EqualValues(t, keys.ciphers[1].hide(cipher), shown.Number,
		"above 63 bits it is encrypted again")
}

func TestARotation(t *testing.T) {
	first, second, third := Key{1, secret(1)}, Key{2, secret(2)}, Key{3, secret(3)}
	const id = uid.ID(538815673191686144)
	before := newKeys(t, first, Key{})
	after := newKeys(t, second, first)
	shown, err := before.Hide(id)
	require.NoError(t, err)
	got, err := after.Reveal(shown)
	require.NoError(t, err)
	assert.Equal(t, id, got, "the text says which key")

	again, err := after.Hide(id)
	require.NoError(t, err)
	assert.Equal(t, 2, again.Key)
	assert.NotEqual(t, shown.Number, again.Number)
	_, err = before.Reveal(again)
	require.ErrorIs(t, err, ErrKey)
	assert.ErrorContains(t, err, "hidden by key 2, which these keys do not have")

	last := newKeys(t, third, second)
	_, err = last.Reveal(shown)
	require.ErrorIs(t, err, ErrKey, "the first key was given up")

	plain, err := before.Reveal(ID{Number: id})
	require.NoError(t, err, "with the zero key what was shown before is read")
	assert.Equal(t, id, plain)
	_, err = after.Reveal(ID{Number: id})
	require.ErrorIs(t, err, ErrKey)
	assert.ErrorContains(t, err, "not hidden")
}

func TestNoKeysAreAnErrorAndNoPanic(t *testing.T) {
	for name, keys := range map[string]*Keys{"nil": nil, "zero": {}} {
		_, err := keys.Hide(1)
		assert.ErrorIs(t, err, ErrKey, name)
		_, err = keys.Reveal(ID{Number: 1, Key: 1})
		assert.ErrorIs(t, err, ErrKey, name)
		_, err = keys.Reveal(ID{Number: 1})
		assert.ErrorIs(t, err, ErrKey, name)
	}
}

func TestWhatIsNoIDIsNeitherHiddenNorRevealed(t *testing.T) {
	keys := newKeys(t, Key{1, secret(1)})
	_, err := keys.Hide(-1)
	require.ErrorIs(t, err, uid.ErrRange)
	_, err = keys.Reveal(ID{Number: -1, Key: 1})
	require.ErrorIs(t, err, uid.ErrRange)
	for _, number := range []int{-1, 4, math.MinInt, math.MaxInt} {
		_, err = keys.Reveal(ID{Number: 1, Key: number})
		require.ErrorIs(t, err, ErrKey)
	}
}

func TestKeysThatCannotBeUsed(t *testing.T) {
	good := Key{1, secret(1)}
	for _, c := range []struct {
		says string
		keys []Key
	}{
		{"the current key has no number", []Key{{}}},
		{"the current key has no number", []Key{{Secret: secret(1)}, good}},
		{"key 0: want a number of 1 to 3", []Key{good, {Secret: secret(2)}}},
		{"key 4: want a number of 1 to 3", []Key{{4, secret(1)}}},
		{"key -1", []Key{{-1, secret(1)}}},
		{"there are two keys 1", []Key{good, {1, secret(2)}}},
		{"key 2 has 15 bytes, want 16", []Key{good, {2, secret(2)[1:]}}},
		{"key 1 has 17 bytes", []Key{{1, append(secret(1), 1)}}},
		{"key 1 has 0 bytes", []Key{{1, nil}}},
		{"is the same byte 16 times", []Key{{1, make([]byte, secretSize)}}},
		{"is the same byte 16 times", []Key{{1, bytes.Repeat([]byte("x"), secretSize)}}},
	} {
		keys, err := NewKeys(c.keys[0], c.keys[1:]...)
		require.ErrorIs(t, err, ErrKey, c.says)
		assert.ErrorContains(t, err, c.says)
		assert.Nil(t, keys)
	}
}

func TestKeysFromText(t *testing.T) {
	keys, err := ParseKeys(
		" 2:202122232425262728292a2b2c2d2e2f,1:101112131415161718191A1B1C1D1E1F\n0 ")
	require.NoError(t, err)
	want := newKeys(t, Key{2, secret(2)}, Key{1, secret(1)}, Key{})
	assert.Equal(t, want, keys)

	for text, says := range map[string]string{
		"":                                      "the list of keys is empty",
		" , ":                                   "the list of keys is empty",
		"101112131415161718191a1b1c1d1e1f":      "key 1 of the list has no number: want NUMBER:SECRET",
		"1:101112131415161718191a1b1c1d1e1f,x:": "key 2 of the list has no number",
		"1:101112131415161718191a1b1c1d1e1g":    "the secret of key 1 is not in hexadecimal digits",
		"1:101112131415161718191a1b1c1d1e":      "has 15 bytes",
		"0":                                     "the current key has no number",
	} {
		keys, err := ParseKeys(text)
		require.ErrorIs(t, err, ErrKey, text)
		assert.ErrorContains(t, err, says)
		assert.NotContains(t, err.Error(), "1011", "a secret")
		assert.Nil(t, keys)
	}
}

func TestAKeyDoesNotPrintItsSecret(t *testing.T) {
	key := Key{1, []byte("abcdefghijklmnop")}
	var log bytes.Buffer
	noTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // whose digits may be those of a secret
		}
		return a
	}
	slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: noTime})).Info("x", "key",
		key)
	data, err := json.Marshal([]Key{key})
	require.NoError(t, err)
	printed := []string{fmt.Sprint(key), fmt.Sprint([]*Key{&key}[0]), log.String(), string(data)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		printed = append(printed, fmt.Sprintf(verb, []Key{key}))
	}
	for _, printed := range printed {
		for _, secret := range []string{"abc", "97", "6162", "YWJj"} {
			assert.NotContains(t, printed, secret)
		}
		assert.Contains(t, printed, "opaque.Key(1)")
	}
}

func TestHidingAllocatesNothing(t *testing.T) {
	keys := newKeys(t, Key{1, secret(1)})
	shown, _ := keys.Hide(5)
	assert.Zero(t, testing.AllocsPerRun(100, func() { shown, _ = keys.Hide(shown.Number) }))
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = keys.Reveal(shown) }))
}
