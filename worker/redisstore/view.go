package redisstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// View reads one row or all.
func (s *rows) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	worker := ""
	if first == last {
		worker = strconv.FormatInt(first, 10)
	}
	v, rows, layouts, err := s.look(ctx, p, worker)
	if err != nil {
		return v, err
	}
	for i := 0; i < len(rows); i += 2 {
		of, row, err := s.parseRow(p.Layout, rows[i], rows[i+1])
		if err == nil && of != p {
			err = s.edited(p.Layout, rows[i], fmt.Sprintf("its ticks are %v long", of.Unit))
		}
		if err != nil {
			return store.View{}, err
		}
		if first <= row.Worker && row.Worker <= last {
			v.Rows = append(v.Rows, row)
		}
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
	err = s.others(ctx, &v, slices.DeleteFunc(layouts, func(other string) bool {
		return other == p.Layout
	}))
	return v, err
}

// others shows the rows of these layouts, at a later moment than the set of layouts was read,
// which was after the call began. So of two processes that have created rows of two layouts
// and look again, one sees the other's.
func (s *rows) others(ctx context.Context, v *store.View, layouts []string) error {
	if len(layouts) == 0 {
		return nil
	}
	answer, err := s.run(ctx, "others", s.rowsKeys(layouts), nil, false)
	if err != nil {
		return explain("reading rows of other layouts", err, nothing)
	}
	v.Others = map[store.Pool]store.Row{}
	for i, of := range answer.([]any) {
		if row := texts(of); len(row) > 0 {
			pool, furthest, err := s.parseRow(layouts[i], row[0], row[1])
			if err != nil {
				return err
			}
			v.Others[pool] = furthest
		}
	}
	return nil
}

// look reads the head and the row of a worker id, or those of all if it is empty. In rows,
// each worker id is followed by the text of its row.
func (s *rows) look(ctx context.Context, p store.Pool, id string) (v store.View, rows,
	layouts []string, err error) {
	keys := []string{s.layoutsKey(), s.headKey(p.Layout), s.rowsKey(p.Layout)}
	if s.o.AssertAllReplicas {
		keys = append(keys, s.key("view"))
	}
	answer, err := s.run(ctx, "view", keys, []any{p.Layout, id}, s.o.AssertAllReplicas)
	if err != nil {
		return v, nil, nil, explain("reading rows", err, nothing)
	}
	parts := answer.([]any)
	head := texts(parts[0])
	ms, _ := strconv.ParseInt(head[0], 10, 64)
	floor, err := strconv.ParseInt(head[3], 10, 64)
	if err != nil || strconv.FormatInt(floor, 10) != head[3] || (floor != 0) != (head[2] != "") {
		return v, nil, nil, fmt.Errorf("redisstore: %w: the key %s was edited: delete it",
			worker.ErrStore, s.headKey(p.Layout))
	}
	v = store.View{Pool: p, Epoch: head[2], Floor: floor, Server: head[1],
		Now: time.UnixMilli(ms).UTC()}
	return v, texts(parts[1]), texts(parts[2]), nil
}

func texts(list any) (all []string) {
	for _, text := range list.([]any) {
		all = append(all, text.(string))
	}
	return all
}
