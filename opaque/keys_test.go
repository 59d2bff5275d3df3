package opaque

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
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

// typed is a key as it is typed.
func typed(number int, secret []byte) string { return fmt.Sprintf("%d:%x", number, secret) }

func newKeys(t require.TestingT, typed ...string) *Keys {
	keys, err := ParseKeys(strings.Join(typed, ","))
	require.NoError(t, err)
	return keys
}

func TestWhatIsHiddenIsRevealed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(1, maxKey).Draw(t, "number")
		keys := newKeys(t, typed(number,
			rapid.SliceOfNDistinct(rapid.Byte(), secretSize, secretSize, rapid.ID).Draw(t, "secret")))
		id := uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
		shown, err := keys.Hide(id)
		require.NoError(t, err)
		require.GreaterOrEqual(t, shown.Number, uid.ID(0))
		require.Equal(t, number, shown.Key)
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
	keys := newKeys(t, typed(1, secret(0))) // 000102030405060708090a0b0c0d0e0f
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
	keys := newKeys(t, "1:0001020308090a0b1011121318191a1b")
	plain := binary.LittleEndian.Uint64([]byte{0x2d, 0x43, 0x75, 0x74, 0x74, 0x65, 0x72, 0x3b})
	cipher := binary.LittleEndian.Uint64([]byte{0x8b, 0x02, 0x4e, 0x45, 0x48, 0xa5, 0x6f, 0x8c})
	assert.Equal(t, cipher, keys.ciphers[1].encrypt(plain))
	shown, err := keys.Hide(uid.ID(plain))
	require.NoError(t, err)
	assert.EqualValues(t, keys.ciphers[1].hide(cipher), shown.Number,
		"above 63 bits it is encrypted again")
}

func TestARotation(t *testing.T) {
	first, second, third := typed(1, secret(1)), typed(2, secret(2)), typed(3, secret(3))
	const id = uid.ID(538815673191686144)
	before := newKeys(t, first, "0")
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
	require.NoError(t, err, "with a 0 what was shown before is read")
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
	keys := newKeys(t, typed(1, secret(1)))
	_, err := keys.Hide(-1)
	require.ErrorIs(t, err, uid.ErrRange)
	_, err = keys.Reveal(ID{Number: -1, Key: 1})
	require.ErrorIs(t, err, uid.ErrRange)
	for _, number := range []int{-1, 4, math.MinInt, math.MaxInt} {
		_, err = keys.Reveal(ID{Number: 1, Key: number})
		require.ErrorIs(t, err, ErrKey)
	}
}

func TestKeysFromText(t *testing.T) {
	keys, err := ParseKeys(
		" 2:202122232425262728292a2b2c2d2e2f,1:101112131415161718191A1B1C1D1E1F\n0 ")
	require.NoError(t, err)
	assert.Equal(t, newKeys(t, typed(2, secret(2)), typed(1, secret(1)), "0"), keys)

	good := typed(1, secret(1))
	for text, says := range map[string]string{
		"":                                   "the list of keys is empty",
		" , ":                                "the list of keys is empty",
		good[2:]:                             "key 1 of the list has no number of 1 to 3",
		good + ",x:":                         "key 2 of the list has no number",
		good[:len(good)-1] + "g":             "the secret of key 1 is not in hexadecimal digits",
		"0":                                  "the first key has no number",
		typed(0, secret(1)) + "," + good:     "key 1 of the list has no number",
		good + "," + typed(0, secret(2)):     "key 2 of the list has no number",
		good + ",0:":                         "key 2 of the list has no number", // no secret
		good + ",00":                         "key 2 of the list has no number",
		"+" + good:                           "key 1 of the list has no number",
		good + "," + typed(2, secret(1)):     "keys 1 and 2 have one secret",
		typed(4, secret(1)):                  "key 4: want a number of 1 to 3",
		typed(-1, secret(1)):                 "key -1",
		good + "," + typed(1, secret(2)):     "there are two keys 1",
		good + "," + good + ",2:":            "there are two keys 1",
		good + "," + typed(2, secret(2)[1:]): "key 2 has 15 bytes, want 16",
		good + "11":                          "key 1 has 17 bytes",
		"1:":                                 "key 1 has 0 bytes",
		typed(1, make([]byte, secretSize)):   "is the same byte 16 times",
	} {
		keys, err := ParseKeys(text)
		require.ErrorIs(t, err, ErrKey, text)
		assert.ErrorContains(t, err, says)
		assert.NotContains(t, err.Error(), "1011", "a secret")
		assert.Nil(t, keys)
	}
}

func TestHidingAllocatesNothing(t *testing.T) {
	keys := newKeys(t, typed(1, secret(1)))
	shown, _ := keys.Hide(5)
	assert.Zero(t, testing.AllocsPerRun(100, func() { shown, _ = keys.Hide(shown.Number) }))
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = keys.Reveal(shown) }))
}
