package worker

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Of rows that cannot mint yet, the one that can soonest, whatever is preferred; of
// rows that can mint now, the preferred one.
func TestSoonestBeatsPreferred(t *testing.T) {
	row := func(id, high int64) store.Row { return store.Row{Worker: id, High: high, Open: true} }
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
			v := store.View{Pool: need.pool(), Head: store.Head{Floor: c.floor}, Now: time.Unix(100, 0),
				Rows: slices.Clone(c.rows)}
			for i := range v.Rows {
				v.Rows[i].Renewed = time.Unix(int64(i), 0)
			}
			claim := Claim{Prefer: Oldest}
			row, _, none := claim.choose(moment{nonce: store.Nonce{1}}, v)
			require.Nil(t, none)
			assert.Equal(t, c.want, row.Worker)
		})
	}
}

func TestPreferences(t *testing.T) {
	mine := store.Row{Worker: 10, Owner: "me", High: 9, Renewed: time.Unix(30, 0)}
	fresh, later := store.Row{Worker: 11, High: 1}, store.Row{Worker: 2, High: 2}
	old := store.Row{Worker: 1, Owner: "other", High: 3, Renewed: time.Unix(20, 0)}
	for preference, want := range map[Preference][]store.Row{
		OwnThenSoonest: {mine, fresh, later, old},
		OwnThenNew:     {mine, later, fresh, old},
		OwnThenOldest:  {mine, fresh, later, old}, // equal ones as text
		Oldest:         {fresh, later, old, mine},
		Lowest:         {old, later, mine, fresh},
	} {
		rows := []store.Row{old, later, mine, fresh}
		slices.SortFunc(rows, func(a, b store.Row) int { return preferences[preference](a, b, "me") })
		assert.Equal(t, want, rows, preference)
	}
	spread := preferences[OwnThenSoonest]
	assert.Negative(t, spread(fresh, mine, ""), "an owner without a name has no row")
	assert.Zero(t, spread(fresh, fresh, ""))
}

func TestSpanBesideKeys(t *testing.T) {
	none := [2]int64{1, 0}
	for _, c := range []struct {
		claim      [2]int64 // first and count
		keys, most int64
		want       [2]int64
	}{
		{[2]int64{}, 0, 1<<22 - 1, [2]int64{0, 1023}},
		{[2]int64{}, 0, 63, [2]int64{0, 63}},
		{[2]int64{}, -1, 1<<22 - 1, [2]int64{1<<22 - 1024, 1<<22 - 1}}, // a table without a row
		{[2]int64{}, -1, 63, [2]int64{32, 63}},
		{[2]int64{}, 8197, 1<<22 - 1, [2]int64{1<<22 - 1024, 1<<22 - 1}},
		{[2]int64{}, 1<<22 - 1 - 2048, 1<<22 - 1, [2]int64{1<<22 - 1024, 1<<22 - 1}},
		{[2]int64{}, 1<<22 - 1 - 100, 1<<22 - 1, [2]int64{1<<22 - 50, 1<<22 - 1}},
		{[2]int64{}, 8, 63, [2]int64{36, 63}},
		{[2]int64{}, 61, 63, [2]int64{63, 63}},
		{[2]int64{}, 62, 63, [2]int64{63, 63}},
		{[2]int64{}, 63, 63, none},
		{[2]int64{}, 99, 63, none},
		{[2]int64{3, 5}, 0, 63, [2]int64{3, 7}},
		{[2]int64{3, 5}, -1, 63, [2]int64{3, 7}},
		{[2]int64{3, 5}, 4, 63, [2]int64{5, 7}},
		{[2]int64{3, 5}, 9, 63, none},
	} {
		claim := Claim{First: c.claim[0], Count: c.claim[1]}
		first, last := claim.span(store.View{Keys: c.keys}, Need{MaxID: c.most})
		if c.want == none {
			assert.Greater(t, first, last, "%+v", c)
		} else {
			assert.Equal(t, c.want, [2]int64{first, last}, "%+v", c)
		}
	}
}

// A claim's preference decides which of the rows it takes.
func TestTheClaimPrefers(t *testing.T) {
	inBubble(t, 9, func(t *testing.T, s *env) {
		s.claim.Prefer = Lowest
		for id := range int64(3) {
			assert.Equal(t, id, s.lease().WorkerID())
		}
		s.claim.Prefer = 200
		_, err := Leased(s.network(), s.claim).Assign(t.Context(), need)
		assert.ErrorIs(t, err, ErrClaim)
	})
}
