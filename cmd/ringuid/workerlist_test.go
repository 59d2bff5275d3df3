package main

import (
	"math"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/testserver"
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

// Who only lists worker ids needs the rights that the error names for that, as it names them.
func TestTheRightsThatAListNeeds(t *testing.T) {
	t.Parallel()
	needs := regexp.MustCompile(`to list worker ids ([^;]+);`)
	for create, server := range map[[2]string]*testserver.Server{
		{"mysql", "IDENTIFIED BY"}: testserver.MariaDB(t, testserver.Durable()),
		{"pgx", "PASSWORD"}:        testserver.Postgres(t, testserver.Durable()),
	} {
		ask := opened(t, create[0], server.DSN())
		ask(t, "CREATE USER reader "+create[1]+" 'secret'")
		for _, flags := range [][]string{{"init"}, {"init", "--layout", "41/10/12@1ms"}} {
			code, text := typed(t, append([]string{"worker", "--store", server.URL()}, flags...)...)
			require.Equal(t, cli.OK, code, text)
		}
		reader, err := url.Parse(server.URL())
		require.NoError(t, err)
		reader.User = url.UserPassword("reader", "secret")
		code, text := typed(t, "worker", "list", "--store", reader.String(), "--assigner", "leased")
		require.Equal(t, cli.Error, code)
		found := needs.FindStringSubmatch(text)
		require.NotNil(t, found, text)
		for _, right := range strings.Split(found[1], ", and ") {
			right, all, _ := strings.Cut(right, " on ")
			for _, on := range regexp.MustCompile(`, | and `).Split(all, -1) {
				on = strings.ReplaceAll(on, "its sequence", "worker_node_id_seq")
				ask(t, "GRANT "+right+" ON "+on+" TO reader")
			}
		}
		for _, kind := range []string{leased, disposable} {
			code, text = typed(t, "worker", "list", "--store", reader.String(), "--assigner", kind)
			assert.Equal(t, cli.OK, code, text)
		}
	}
}
