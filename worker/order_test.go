package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Of rows that cannot mint yet, the one that can soonest, whatever is preferred; of
// rows that can mint now, the preferred one.
func TestSoonestBeatsPreferred(t *testing.T) {
	row := func(id, high int64) store.Row { return store.Row{Worker: id, High: high} }
	for name, c := range map[string]struct {
		floor int64
		rows  []store.Row // preferred first
		want  int64
	}{
		"all may now":               {0, []store.Row{row(7, 99), row(3, 10), row(5, 99)}, 7},
		"the preferred may not":     {0, []store.Row{row(7, 100), row(3, 99), row(5, 10)}, 3},
		"none may":                  {0, []store.Row{row(7, 130), row(3, 110), row(5, 110)}, 3},
		"a floor ahead, all alike":  {120, []store.Row{row(7, 100), row(3, 10)}, 7},
		"a floor ahead, and beyond": {120, []store.Row{row(7, 130), row(3, 119)}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			v := store.View{Namespace: Namespace{Unit: time.Second, Floor: c.floor}, Now: time.Unix(100, 0)}
			assert.Equal(t, c.want, earliest(v, c.rows).Worker)
		})
	}
}

func TestAnOrderThatKeepsNoRowIsAnError(t *testing.T) {
	c := Claim{Order: func([]store.Row, Claim) []store.Row { return nil }}.withDefaults()
	v := store.View{Namespace: Namespace{Name: "orders", Unit: time.Second, Window: 60}, Now: time.Unix(100, 0), Rows: []store.Row{{Worker: 1}, {Worker: 2}}}
	_, _, err := (&leased{claim: c}).choose(&holder{}, v)
	require.ErrorIs(t, err, ErrClaim)
	assert.ErrorContains(t, err, `none of the 2 worker ids of "orders"`)
}

// Raindrop calls a worker dead two minutes after its last heartbeat, and after
// longer with longer ticks. Its own row it prefers on demand, in ms and s alone.
func TestRaindropsLivenessAndPriority(t *testing.T) {
	free := []store.Row{{Worker: 1, Renewed: time.Unix(1, 0)}, {Worker: 2, Renewed: time.Unix(2, 0), Owner: "me"}}
	for unit, want := range map[time.Duration]struct {
		ttl    time.Duration
		second int64 // first of the free rows when equal codes have priority
	}{
		0:                {120 * time.Second, 2},
		time.Millisecond: {120 * time.Second, 2},
		time.Second:      {120 * time.Second, 2},
		time.Minute:      {180 * time.Second, 1},
		time.Hour:        {time.Hour + 120*time.Second, 1},
		24 * time.Hour:   {24*time.Hour + 120*time.Second, 1},
	} {
		for priority, first := range map[bool]int64{false: 1, true: want.second} {
			c := Raindrop(Claim{}, RaindropOptions{Port: 80, Unit: unit, PriorityEqualCodeWorkID: priority})
			assert.Equal(t, want.ttl, c.TTL, unit)
			c.Owner = "me"
			assert.Equal(t, first, c.Order(append([]store.Row(nil), free...), c)[0].Worker, "%v, priority %v", unit, priority)
		}
	}
	assert.Equal(t, Raindrop(Claim{}, RaindropOptions{Unit: time.Second}).Owner, Raindrop(Claim{}, RaindropOptions{}).Owner, "one code")
	assert.NotEqual(t, Raindrop(Claim{}, RaindropOptions{Port: 1}).Owner, Raindrop(Claim{}, RaindropOptions{}).Owner)
}
