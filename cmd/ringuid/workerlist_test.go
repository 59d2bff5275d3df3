package main

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	workerstore "github.com/ringuid/ringuid/worker/store"
)

func TestStatesOfWorkerIDs(t *testing.T) {
	now := time.Unix(1_000, 0)
	v := workerstore.View{Pool: workerstore.Pool{Unit: time.Second}, Now: now,
		Head: workerstore.Head{Floor: 900}}
	for want, row := range map[string]workerstore.Row{
		held:     {Open: true, Renewed: now, Held: true, High: 1_030, Expires: now.Add(time.Second)},
		expired:  {Open: true, Renewed: now, Held: true, High: 1_030, Expires: now},
		released: {Open: true, Renewed: now, High: 950}, // by a holder that did not say its name
		waiting:  {Open: true, Renewed: now, High: 1_060},
		untaken:  {Open: true, High: 1_060},
	} {
		assert.Equal(t, want, stateOf(v, row))
	}
}

// What lies further ahead than a new row can begin was granted by a wrong clock.
func TestAWrongClockIsSeen(t *testing.T) {
	now := time.Unix(1_000, 0)
	const slack = 5 * time.Second
	v := workerstore.View{Pool: workerstore.Pool{Unit: time.Second}, Now: now, Server: "a server",
		Head: workerstore.Head{Slack: slack}}
	wrong := func(high int64, renewed time.Time) bool {
		r := workerstore.Row{Open: true, High: high, Renewed: renewed}
		return describeHolder(v, r, waiting).WrongClock
	}
	assert.False(t, wrong(1_065, now))
	assert.True(t, wrong(1_066, now))
	assert.False(t, wrong(1_000, now.Add(slack)))
	assert.True(t, wrong(1_000, now.Add(slack+time.Second)))
}

func TestARowThatIsGrantedForEverIsListedAsFarAhead(t *testing.T) {
	v := workerstore.View{Pool: workerstore.Pool{Unit: time.Second}, Now: time.Unix(1_000, 0)}
	h := describeHolder(v, workerstore.Row{Open: true, High: math.MaxInt64}, held)
	assert.Positive(t, h.AheadSeconds)
	assert.True(t, h.WrongClock)
}
