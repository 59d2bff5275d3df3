package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

var need = Need{Unit: time.Second, MaxID: 1023, Fingerprint: "test"}

func assign(t *testing.T, a Assigner) Lease {
	l, err := a.Assign(t.Context(), need)
	require.NoError(t, err)
	return l
}

func nowTick() int64 { return time.Now().Unix() }

var errDown = errors.New("connection refused")

// flaky is a store behind a network that fails on request.
type flaky struct {
	*memory.Store
	mu      sync.Mutex
	down    bool  // nothing arrives
	refuses error // what it says to each Write and Raise; it can be read
	lossy   bool  // calls get lost, and the caller waits
	writes  int   // that arrived
}

// set changes what fails.
func (f *flaky) set(change func(f *flaky)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// network is the way to the store.
func (f *flaky) network() store.Store {
	return through(func(ctx context.Context, call any) answer {
		f.mu.Lock()
		lost := f.lossy
		f.mu.Unlock()
		if lost {
			return hang(ctx)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		_, writes := call.(store.Write)
		_, raises := call.(raising)
		switch {
		case f.refuses != nil && (writes || raises):
			return answer{err: f.refuses}
		case f.down:
			return answer{err: errDown}
		case !writes:
			return ask(ctx, f.Store, call)
		}
		f.writes++
		return ask(ctx, f.Store, call)
	})
}

// hang waits for the end of a call that got lost.
func hang(ctx context.Context) answer {
	<-ctx.Done()
	return answer{err: context.Cause(ctx)}
}

// env is a test's rows of a layout of seconds, the unreliable store that has them, and its log.
type env struct {
	*testing.T
	*flaky
	claim  Claim
	log    *logLines
	leases []Lease
}

type logLines struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.Write(p)
}

// lines are the lines of a level.
func (l *logLines) lines(level slog.Level) (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.bytes.String()) {
		if strings.Contains(line, "level="+level.String()+" ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// openRows creates rows of so many worker ids, whose grants begin above high.
func openRows(t *testing.T, s *memory.Store, p store.Pool, ids, high int64) {
	var workers []int64
	for id := range ids {
		workers = append(workers, id)
	}
	created := store.Nonce{1}
	require.NoError(t, s.Create(t.Context(), p, workers, created))
	require.NoError(t, s.Open(t.Context(), p, workers, created,
		store.Row{Nonce: store.Nonce{2}, Open: true, High: high, Slack: grants.DefaultSlack}))
}

// inBubble runs a test in a bubble, with rows of so many worker ids.
func inBubble(t *testing.T, ids int64, test func(t *testing.T, s *env)) {
	synctest.Test(t, func(t *testing.T) {
		s := &env{T: t, flaky: &flaky{Store: memory.New()}, log: &logLines{}}
		s.claim.Logger = slog.New(slog.NewTextHandler(s.log, nil))
		s.claim.ExistingOnly = true
		openRows(t, s.Store, need.pool(), ids, nowTick()-1)
		defer func() {
			s.set(func(f *flaky) { f.down = false })
			for _, l := range s.leases {
				l.Release(context.Background(), math.MinInt64)
			}
		}()
		test(t, s)
	})
}

// written is how many writes have arrived.
func (e *env) written() int {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.writes
}

// lease takes a worker id, until the end of the test.
func (e *env) lease() Lease {
	l := assign(e.T, Leased(e.network(), e.claim))
	e.leases = append(e.leases, l)
	return l
}

// patiently asks for a worker id for so long.
func (e *env) patiently(d time.Duration) (Lease, error) {
	ctx, cancel := context.WithTimeout(e.Context(), d)
	defer cancel()
	return Leased(e.network(), e.claim).Assign(ctx, need)
}

func (e *env) row(id int64) store.Row {
	v, err := e.Store.View(e.Context(), need.pool(), id, id)
	require.NoError(e, err)
	return v.Rows[0]
}

// failOver gives the store another incarnation. The first time it gets one is before that.
func (e *env) failOver() {
	e.Restart("first")
	_, err := e.Store.Raise(e.Context(), need.pool(), store.Head{}, -nowTick(),
		grants.DefaultSlack)
	require.NoError(e, err)
	e.Restart("another")
}

// edit changes a row by hand.
func (e *env) edit(id int64, change func(*store.Row)) {
	e.Store.Edit(need.Fingerprint, id, func(r *store.Row) bool { change(r); return true })
}

// work lets a steady generator mint for so long: it wants the tick of now.
func (e *env) work(l Lease, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Second) {
		l.Want(nowTick())
	}
	synctest.Wait()
}

// steal takes a row by force.
func (e *env) steal(id int64) {
	e.edit(id, func(r *store.Row) {
		r.Nonce, r.Held, r.Owner = store.Nonce{1, 2, 3}, true, "thief"
		r.Expires, r.Renewed = time.Now().Add(time.Hour), time.Now()
	})
}
