package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/preset"
)

// printed is what a command writes to stdout, and how it exits.
func printed(t *testing.T, line string) (out string, code int) {
	var stdout bytes.Buffer
	code = run(t.Context(), strings.Fields(line), &stdout, io.Discard)
	return stdout.String(), code
}

// A name that is printed can be typed for every flag that takes a layout, and means the same there.
func TestTheNamesThatArePrintedCanBeTyped(t *testing.T) {
	var fits struct {
		Fits []struct{ Preset, Layout string }
	}
	out, _ := printed(t, "decode --format json 12345")
	require.NoError(t, json.Unmarshal([]byte(out), &fits))
	names := append(preset.Names(), "DefaultLayout", "BaiduLayout")
	for _, fit := range fits.Fits {
		names = append(names, fit.Preset)
		l, err := preset.Layout(fit.Preset)
		require.NoError(t, err)
		assert.Equal(t, fit.Layout, l.String(), fit.Preset)
	}
	require.Contains(t, names, "SnowflakeLayout") // which plan prints, too
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		want, err := preset.Layout(name)
		require.NoError(t, err)
		f := cli.Layout{Layout: name}
		l, err := f.Named()
		require.NoError(t, err, name)
		assert.Equal(t, want, l, name)
		assert.Equal(t, name, f.Name())
	}
}

func TestNoFlagTakesSnowflake(t *testing.T) {
	for _, line := range []string{"decode 7 --layout NAME", "migrate --to default --from NAME",
		"migrate --from default --to NAME", "sql --dialect mysql --layout NAME",
		"worker init --assigner leased --store sqlite:no.db --layout NAME"} {
		var stderr bytes.Buffer
		args := strings.Fields(strings.Replace(line, "NAME", "snowflake", 1))
		assert.Equal(t, cli.Usage, run(t.Context(), args, io.Discard, &stderr), line)
		assert.Contains(t, stderr.String(), "could be twitter, from 2010 on, or SnowflakeLayout, ", line)
	}
}

// What migrate says that works is typed after the same line, and is safe.
func TestWhatMigrateSaysThatWorksIsSafe(t *testing.T) {
	layouts := []string{"default", "SnowflakeLayout", "twitter", "js-safe", "seata", "tsid", "yitter",
		"raindrop-s", "41/10/12@1ms", "33/10/1/14/5=31", "40/0/23", "wts:3/40/20"}
	at, epochs, workers, none := time.Now().AddDate(0, 0, 1), 0, 0, 0
	for _, from := range layouts {
		for _, to := range layouts {
			line := "migrate --from " + from + " --to " + to + " --at " + at.Format(time.DateOnly)
			out, code := printed(t, line+" --format json")
			var a migration
			require.NoError(t, json.Unmarshal([]byte(out), &a), line)
			if code == 0 {
				assert.NotEmpty(t, a.Rests, line)
				assert.Empty(t, a.Works, line)
				continue
			}
			for _, flags := range a.Works {
				out, code := printed(t, line+" "+flags)
				assert.Equal(t, 0, code, "%s %s\n%s", line, flags, out)
				if strings.HasPrefix(flags, "--to-epoch") {
					epochs++
				} else {
					workers++
				}
			}
			if len(a.Works) == 0 {
				none++
			}
		}
	}
	for _, n := range []int{epochs, workers, none} {
		assert.Positive(t, n)
	}
}
