package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestIDsThatAreThrownAwayOutliveTheDefaultLayout(t *testing.T) {
	in := func(year int) time.Time { return time.Date(year, 2, 29, 13, 14, 15, 0, time.UTC) }
	today := time.Date(2036, 2, 29, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		layout   layoutFlags
		assigner string
		now      time.Time
		begins   time.Time
	}{
		"while it lasts":  {layoutFlags{}, disposable, in(2028), uid.DefaultLayout.Epoch},
		"when it is over": {layoutFlags{}, disposable, in(2036), today},
		"the same bits":   {layoutFlags{layout: "28/22/13"}, static, in(2036), today},
		"more bits": {layoutFlags{layout: "31/19/13"}, static, in(2036),
			uid.DefaultLayout.Epoch},
		"a preset": {layoutFlags{preset: "default"}, static, in(2036), uid.DefaultLayout.Epoch},
		"its epoch": {layoutFlags{epoch: "2026-01-01"}, static, in(2036),
			uid.DefaultLayout.Epoch},
		"ids of recycled worker ids": {layoutFlags{}, leased, in(2036), uid.DefaultLayout.Epoch},
	} {
		t.Run(name, func(t *testing.T) {
			f := runFlags{layout: c.layout, assigner: assignerFlags{name: c.assigner}}
			config, err := f.layout.config()
			require.NoError(t, err)
			var said bytes.Buffer
			f.beginToday(&config.Layout, c.now, &said)
			assert.Equal(t, c.begins, config.Layout.Epoch)
			assert.Equal(t, c.begins == today, said.Len() > 0, said.String())
		})
	}
}
