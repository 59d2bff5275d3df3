package textstore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/rows"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/store"
)

// Store is a store.Store on a Server; its methods are described there. They may be called from
// any goroutine.
type Store struct {
	Server     Server
	name       string // of its package, in errors
	createRate int    // see store.View
	machine    clock.Clock

	mu   sync.Mutex
	seen map[Key]seen // each row as it was last seen or written
	last Reading      // of the last view
}

// seen is the text of a row, and whether this process wrote it and holds the row.
type seen struct {
	text  string
	holds bool
}

// New returns a package's store on a server, for a machine with this clock.
func New(name string, createRate int, server Server, machine clock.Clock) *Store {
	return &Store{Server: server, name: name, createRate: createRate, machine: machine,
		seen: map[Key]seen{}}
}

func (s *Store) Check(ctx context.Context) (lossy bool, err error) {
	if err = context.Cause(ctx); err == nil {
		err = s.Server.Check(ctx)
	}
	return false, s.explain("checking the server", err)
}

// explain adds to an error what was being done, and what to do about it.
func (s *Store) explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	do, is := s.Server.Advice(err)
	if is != nil {
		err = fmt.Errorf("%w: %w", is, err)
	}
	err = fmt.Errorf("%s: %s: %w", s.name, doing, err)
	if do != "" {
		return fmt.Errorf("%w: %s", err, do)
	}
	return err
}

// Unanswered is the error of a write that was sent and got no answer.
func Unanswered(err error) error {
	return fmt.Errorf("%w: whether it was done is not known; the next view shows it", err)
}

func (s *Store) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v := store.View{Pool: p, Others: map[store.Pool]store.Row{}, CreateRate: s.createRate}
	entries, err := s.list(ctx, p.Layout, first, last)
	if err != nil {
		return store.View{}, s.explain("reading worker ids", err)
	}
	s.see(&v, entries, first, last)
	now, unread := s.read(ctx)
	if v.Now, v.Grain = now.Now, now.Grain; unread != nil { // Write asks again, and says why it cannot
		v.Now = s.machine.Wall()
	}
	return v, nil
}

// see adds entries to a view, and keeps the texts of the rows that it shows.
func (s *Store) see(v *store.View, entries []Entry, first, last int64) {
	all := rows.Rows{}
	for _, e := range entries {
		all[e.Key] = rows.Parse(e.Key, e.Text)
	}
	all.View(v, first, last)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range v.Rows {
		k := Key{Layout: v.Layout, Worker: row.Worker}
		if text := all[k].Text; s.seen[k].text != text {
			s.seen[k] = seen{text: text}
		}
	}
}

// list skips other layouts when it reads one row that this process holds: as long as the row
// exists with the text that this process wrote, no process of another layout has taken a row,
// since it would have deleted this one first.
func (s *Store) list(ctx context.Context, layout string, first, last int64) ([]Entry, error) {
	k := Key{Layout: layout, Worker: first}
	if was := s.known(k); first == last && was.holds {
		if text, err := s.Server.Get(ctx, k); err != nil || text == was.text {
			return []Entry{{k, text}}, err
		}
	}
	return s.Server.List(ctx, layout)
}

// known returns a row as it was last seen or written.
func (s *Store) known(k Key) seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[k]
}

func (s *Store) Create(ctx context.Context, p store.Pool, workers []int64,
	nonce store.Nonce) error {
	text := store.Row{Nonce: nonce}.Text(p)
	err := Each(ctx, len(workers), func(i int) error {
		_, err := s.Server.Create(ctx, Key{Layout: p.Layout, Worker: workers[i]}, text)
		return err
	})
	return s.explain("creating rows of worker ids", err)
}

func (s *Store) Open(ctx context.Context, p store.Pool, workers []int64,
	created store.Nonce, opened store.Row) error {
	err := Each(ctx, len(workers), func(i int) error {
		_, err := s.change(ctx, p, workers[i], func(r store.Row) (store.Row, bool) {
			return opened, !r.Open && r.Nonce == created
		})
		return err
	})
	return s.explain("opening rows of worker ids", err)
}

// Write uses the time that the last view showed. An earlier time never allows more.
func (s *Store) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	s.mu.Lock()
	now := s.last
	s.mu.Unlock()
	if now == (Reading{}) {
		now, err = s.read(ctx)
	}
	if err == nil {
		applied, err = s.change(ctx, w.Pool, w.Worker, func(r store.Row) (store.Row, bool) {
			r, applies := w.Apply(r, now.Now)
			return r, applies && w.Epoch == "" && w.Floor == 0 // such a store has neither
		})
	}
	return applied, s.explain(fmt.Sprint("writing worker id ", w.Worker), err)
}

func (s *Store) Delete(ctx context.Context, layout string) error {
	err := context.Cause(ctx)
	if err == nil {
		err = s.Server.DeleteAll(ctx, layout)
	}
	return s.explain("deleting rows of worker ids", err)
}

// change replaces the text of a row by that of the row which the function change returns. This
// is safe since the server compares the text: the row is still the one for which the decision
// was made, whatever wrote, deleted or created it meanwhile.
//
// It first tries the text that was last seen, which usually is still current. If that changes
// nothing, it reads the row, and decides again if the text is different. No write is repeated:
// either the server has answered that the first one found another text, or none was sent.
func (s *Store) change(ctx context.Context, p store.Pool, worker int64,
	change func(store.Row) (store.Row, bool)) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	k := Key{Layout: p.Layout, Worker: worker}
	was := s.known(k).text
	if was != "" {
		if changed, err := s.changeText(ctx, p, k, was, change); changed || err != nil {
			return changed, err
		}
	}
	text, err := s.Server.Get(ctx, k)
	if err != nil || text == "" || text == was {
		return false, err
	}
	return s.changeText(ctx, p, k, text, change)
}

func (s *Store) changeText(ctx context.Context, p store.Pool, k Key, text string,
	change func(store.Row) (store.Row, bool)) (bool, error) {
	pool, row, err := store.ParseRow(k.Layout, k.Worker, text)
	if err != nil {
		return false, err
	}
	row, changes := change(row)
	if !changes || pool != p {
		return false, nil
	}
	after := row.Text(p)
	changed, err := s.Server.CompareAndSet(ctx, k, text, after)
	if changed {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen[k] = seen{after, row.Held}
	}
	return changed, err
}

// atOnce is how many calls of Each are under way at a time.
const atOnce = 32

// Each calls do for 0 to n-1, several at a time, since each call mostly waits for the server.
// It stops after an error, which it returns.
func Each(ctx context.Context, n int, do func(i int) error) error {
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	for first := range min(n, atOnce) {
		all.Go(func() {
			cancelable.Survive(func() (err error) {
				for i := first; err == nil && i < n && failed.Load() == nil && ctx.Err() == nil; i += atOnce {
					err = do(i)
				}
				return err
			}, func(err error) {
				if err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			})
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err // says more than the cause of ctx, even if ctx has ended
	}
	return context.Cause(ctx)
}
