package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/namespaces"
	"github.com/ringuid/ringuid/worker/store"
)

// Init is described at store.Store. It writes rows first, the namespace last, so an
// interrupted Init leaves nothing that can be used; run it again to continue.
func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
	if err := store.Init(ctx, catalog{s}, n, o); err != nil {
		return s.explain("making "+strconv.Quote(n.Name), err)
	}
	return nil
}

// catalog is the store.Catalog of a Store.
type catalog struct{ *Store }

func (c catalog) Clock(ctx context.Context) (time.Time, bool, error) {
	v, err := c.view(ctx, "", 0, -1) // of no namespace
	if errors.Is(err, store.ErrNoNamespace) {
		err = nil
	}
	return v.Now, true, err
}

func (c catalog) Namespace(ctx context.Context, name string) (store.Namespace, error) {
	v, err := c.view(ctx, name, 0, -1)
	if errors.Is(err, store.ErrNoNamespace) {
		err = nil
	}
	return v.Namespace, err
}

// Namespaces looks at the names of all keys. That takes a while, and is done only
// when there is no record of the layout yet.
func (c catalog) Namespaces(ctx context.Context) (all []store.Namespace, err error) {
	names, err := cancelable.Call(ctx, func() ([]string, error) { return c.names(ctx) })
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		n, err := c.Namespace(ctx, name)
		if err != nil {
			return nil, err
		}
		if n.Name != "" {
			all = append(all, n)
		}
	}
	return all, nil
}

// names are the namespaces whose keys there are.
func (s *Store) names(ctx context.Context) (names []string, err error) {
	literal := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s.nsKey(""))
	var mu sync.Mutex
	scan := func(ctx context.Context, c redis.Cmdable) error {
		keys := c.Scan(ctx, 0, literal+"*", 1000).Iterator()
		for keys.Next(ctx) {
			mu.Lock()
			names = append(names, strings.TrimPrefix(keys.Val(), s.nsKey("")))
			mu.Unlock()
		}
		return keys.Err()
	}
	if c, ok := s.client.(*redis.ClusterClient); ok {
		err = c.ForEachMaster(ctx,
			func(ctx context.Context, c *redis.Client) error { return scan(ctx, c) })
	} else {
		err = scan(ctx, s.client)
	}
	return names, err
}

func (c catalog) Space(ctx context.Context, fingerprint string) (string, error) {
	answer, err := c.read(ctx, spaceScript, []string{c.spaceKey(fingerprint)})
	if err != nil {
		return "", err
	}
	text, _ := answer[0].(string)
	return text, nil
}

func (c catalog) ReplaceSpace(ctx context.Context, fingerprint, old, text string) (bool, error) {
	answer, err := c.write(ctx, swapSpaceScript, []string{c.spaceKey(fingerprint)}, []any{old, text})
	return answer == 1, err
}

func (catalog) HighestKey(context.Context) (int64, error) { return 0, nil }

func (c catalog) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	v, missing, err := c.missing(ctx, n)
	if err != nil || v.Namespace != have {
		return false, err
	}
	begin, expected := max(floor(v.Now), have.Floor), ""
	for _, row := range v.Rows {
		if begin, err = namespaces.Above(begin, n, have, row.Worker, row.High, v.Now); err != nil {
			return false, err
		}
	}
	if have.Name != "" {
		expected = have.Seal()
	}
	if len(missing) == 0 && n.Seal() == expected {
		return true, nil
	}
	claimed, sole, err := namespaces.Claim(ctx, c, n.Fingerprint, space)
	if err != nil || !sole {
		return false, err
	}
	for ids := range slices.Chunk(missing, batch) {
		if made, err := c.makeRows(ctx, n, ids, begin-1, expected, claimed); err != nil || !made {
			return false, err
		}
	}
	if n.Seal() == expected {
		return true, nil
	}
	answer, err := c.write(ctx, namespaceScript, []string{c.nsKey(n.Name), c.spaceKey(n.Fingerprint)},
		[]any{n.Seal(), v.Server, n.Fingerprint, n.Unit.Milliseconds(), n.First, n.Last, n.Window, begin,
			expected, claimed})
	return answer == 1, err
}

// missing are the worker ids of n that have no row; the view has those that do,
// and the namespace where it is there.
func (c catalog) missing(ctx context.Context, n store.Namespace) (all store.View, missing []int64,
	err error) {
	for from := n.First; from <= n.Last; from += batch {
		to := min(n.Last, from+batch-1)
		v, err := c.view(ctx, n.Name, from, to)
		if err != nil && !errors.Is(err, store.ErrNoNamespace) {
			return v, nil, err
		}
		next := from
		for _, row := range v.Rows {
			for ; next < row.Worker; next++ {
				missing = append(missing, next)
			}
			next++
		}
		for ; next <= to; next++ {
			missing = append(missing, next)
		}
		rows := append(all.Rows, v.Rows...)
		all = v
		all.Rows = rows
	}
	return all, missing, nil
}

// makeRows makes free rows, those that are not there yet. It is false when the namespace, by
// its seal, or the record of the layout is no more what was expected.
func (s *Store) makeRows(ctx context.Context, n store.Namespace, ids []int64, high int64, seal,
	space string) (bool, error) {
	keys := []string{s.nsKey(n.Name), s.spaceKey(n.Fingerprint)}
	args := []any{high, seal, space}
	for _, id := range ids {
		var nonce store.Nonce
		rand.Read(nonce[:])
		keys, args = append(keys, s.rowKey(n.Name, id)), append(args, nonce.String())
	}
	answer, err := s.write(ctx, rowsScript, keys, args)
	if err != nil {
		return false, fmt.Errorf("rows %d to %d: %w", ids[0], ids[len(ids)-1], err)
	}
	return answer == 1, nil
}
