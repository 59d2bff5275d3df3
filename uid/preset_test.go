package uid

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryPresetIsAValidLayout(t *testing.T) {
	require.Subset(t, Presets(), []string{"baidu", "default", "js-safe"})
	require.IsIncreasing(t, Presets())
	for _, name := range Presets() {
		c, err := Preset(name)
		require.NoError(t, err, name)
		assert.NoError(t, c.Layout.Validate(), name)
	}
}

func TestPresetsHaveTheLayoutsOfTheirSystems(t *testing.T) {
	vectors := readVectors(t)
	for preset, vector := range map[string]string{"baidu": "baidu", "js-safe": "js-safe-ms-41-6-6"} {
		c, err := Preset(preset)
		require.NoError(t, err)
		assert.Equal(t, vectors[vector].layout(), c.Layout, preset)
	}
	c, err := Preset("default")
	require.NoError(t, err)
	assert.Equal(t, DefaultLayout, c.Layout)
}

func TestPresetLayoutsEndWhenTheirDocsSay(t *testing.T) {
	for name, end := range map[string]string{
		"baidu":   "2024-11-20T13:24:16Z",
		"default": "2034-07-04T21:24:16Z",
		"js-safe": "2095-09-07T15:47:35.552Z",
	} {
		c, err := Preset(name)
		require.NoError(t, err)
		assert.Equal(t, end, c.Layout.End().Format(time.RFC3339Nano), name)
	}
}

func TestJSSafeIDsAreExactInJavaScript(t *testing.T) {
	c, err := Preset("js-safe")
	require.NoError(t, err)
	last, err := c.Layout.MaxID(c.Layout.End().Add(-1))
	require.NoError(t, err)
	const maxSafeInteger = 1<<53 - 1
	assert.Equal(t, ID(maxSafeInteger), last)
	assert.Equal(t, last, ID(math.Nextafter(float64(last), 0)+1), "the float before it is one less")
}

func TestAnUnknownPresetIsAnErrorThatListsTheNames(t *testing.T) {
	for _, name := range []string{"", "Baidu", "twitter2"} {
		_, err := Preset(name)
		require.ErrorIs(t, err, ErrConfig)
		for _, known := range Presets() {
			assert.ErrorContains(t, err, known)
		}
	}
}
