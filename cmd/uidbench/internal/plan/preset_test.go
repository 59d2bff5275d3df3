package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// Yitter keeps 5 of its 64 numbers: 59 ids a millisecond.
func TestTheNumbersThatAPresetKeepsAreNoRate(t *testing.T) {
	w := Requirements{Nodes: 10, Recycled: true, IDsPerSecond: 59_000, Years: 5}
	f, err := Preset("yitter", w, now)
	require.NoError(t, err)
	assert.Equal(t, 59_000.0, f.Rate)
	assert.EqualValues(t, 64-10, f.Restarts)

	w.IDsPerSecond = 59_001
	_, err = Preset("yitter", w, now)
	require.ErrorIs(t, err, ErrMisfit)
	assert.ErrorContains(t, err, "yitter makes 59,000 ids a second, 59,001 are required")
	fits, err := Layouts(w, now)
	require.NoError(t, err)
	for _, f := range fits {
		assert.False(t, strings.HasPrefix(f.Name, "yitter"), f.Name)
	}
}

func TestAPresetSaysEverythingThatItLacks(t *testing.T) {
	_, err := Preset("baidu", Requirements{Nodes: 5e6, Recycled: true, IDsPerSecond: 1e5, Years: 1},
		now)
	require.ErrorIs(t, err, ErrMisfit)
	for _, text := range []string{
		"baidu ends at 2024-11-20T13:24:16Z", "; it has 4194304 worker ids, 5,000,000 are needed",
		"; it makes 8,192 ids a second, 100,000 are",
	} {
		assert.ErrorContains(t, err, text)
	}
	_, err = Preset("nothing", Requirements{Nodes: 1, Years: 1}, now)
	assert.ErrorIs(t, err, uid.ErrConfig)
	_, err = Preset("default", Requirements{}, now)
	assert.ErrorIs(t, err, ErrRequirements)
}

func TestSystemsWithOneLayoutShareAFit(t *testing.T) {
	fits, err := Layouts(Requirements{Nodes: 500, Recycled: true, IDsPerSecond: 1e6, Years: 20}, now)
	require.NoError(t, err)
	var presets []string
	for _, f := range fits {
		if f.Layout.Epoch != midnight {
			presets = append(presets, f.Name)
		}
	}
	assert.Equal(t, []string{"discord", "leaf, snowflake", "seata"}, presets[:3])
}

// A preset is listed exactly when it fits alone.
func TestPresetAndLayoutsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyRequirements().Draw(t, "requirements")
		listed := map[string]bool{}
		fits, _ := Layouts(w, now) // none at all when it is a Conflict
		for _, f := range fits {
			for _, name := range strings.Split(f.Name, ", ") {
				listed[name] = true
			}
		}
		for _, name := range preset.Names() {
			f, err := Preset(name, w, now)
			require.Equal(t, err == nil, listed[name], "%s: %v", name, err)
			if err == nil {
				require.True(t, grants(f.Layout, w))
			}
		}
	})
}
