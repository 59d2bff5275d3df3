package fingerprint

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLayoutsAreShownAsTheyAreTyped(t *testing.T) {
	for fingerprint, want := range map[string]string{
		"28.22.0.13.0=0@1000ms+1767225600":     "28/22/13@1s since 2026-01-01",
		"40.8.0.13.2=1@60000ms+29453760":       "40/8/0/13/2=1@1m since 2026-01-01",
		"41.10.0.12.0=0@1ms+1288834974657":     "41/10/12@1ms since 2010-11-04T01:42:54.657Z",
		"tsw.38.16.1.8.0=0@10ms+141998400000":  "tsw:38/1/8/16/0@10ms since 2014-12-31",
		"wts.41.10.0.12.0=0@1ms+1588435200000": "wts:10/41/12@1ms since 2020-05-02T16:00:00Z",
		"17.4.0.40.0=0@86400000ms+20454":       "17/4/40@24h since 2026-01-01",
		"28.22.0.13.0=0@1000ms+-86400":         "28/22/13@1s since 1969-12-31",
		"a layout":                             "a layout",
		"":                                     "",
	} {
		assert.Equal(t, want, Layout(fingerprint))
	}
}
