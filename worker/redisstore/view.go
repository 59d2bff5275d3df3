package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// View reads the rows of other layouts later than the set of layouts, which it reads after the
// call began. So of two processes that have created rows of two layouts and then look again,
// one sees the other's.
func (s *rows) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, layouts, err := s.look(ctx, p, first, last)
	if err != nil || len(layouts) == 0 {
		return v, err
	}
	answer, err := s.run(ctx, "others", append([]string{p.Layout}, layouts...), nil, false)
	if err != nil {
		return v, explain("reading rows of other layouts", err, "")
	}
	found, err := texts(answer, len(layouts))
	if err != nil {
		return v, explain("reading rows of other layouts", err, "")
	}
	v.Others = map[store.Pool]store.Row{}
	for i, row := range found {
		if len(row) == 2 {
			pool, furthest, err := s.parseRow(store.Pool{Layout: layouts[i]}, row[0], row[1])
			if err != nil {
				v.Unreadable = errors.Join(v.Unreadable, err)
			} else {
				v.Others[pool] = furthest
			}
		}
	}
	return v, nil
}

// look reads the head, one row or all, and which other layouts exist.
func (s *rows) look(ctx context.Context, p store.Pool, first, last int64) (v store.View,
	others []string, err error) {
	id := ""
	if first == last {
		id = strconv.FormatInt(first, 10)
	}
	// Where writes are confirmed, so is what the view shows of them: their writer believes it.
	waits := s.o.MinReplicas > 0 || s.checked.Load()
	answer, err := s.run(ctx, "view", []string{p.Layout}, []any{id, waits, s.o.MinReplicas}, waits)
	if err != nil {
		return v, nil, explain("reading rows", err, "")
	}
	parts, err := texts(answer, 3)
	if err != nil || len(parts[0]) != 5 || len(parts[1])%2 != 0 {
		return v, nil, explain("reading rows", cmp.Or(err, errAnswer), "")
	}
	head, rows, layouts := parts[0], parts[1], parts[2]
	floor, slack := number(head[3]), number(head[4])
	if strconv.FormatInt(floor, 10) != head[3] || strconv.FormatInt(slack, 10) != head[4] ||
		(floor != 0) != (head[2] != "") || (slack > 0) != (head[2] != "") {
		return v, nil, fmt.Errorf("redisstore: %w: the key %s was edited, or written by another "+
			"version: stop all processes, and type `ringuid worker quarantine --store URL --unreadable`",
			worker.ErrStore, s.headKey(p.Layout))
	}
	v = store.View{Pool: p, Head: store.Head{Epoch: head[2], Floor: floor,
		Slack: time.Duration(slack) * time.Millisecond}, Server: head[1], Now: instant(head[0]),
		Grain: time.Millisecond, Alone: time.Duration(s.alone.Load())}
	for row := range slices.Chunk(rows, 2) {
		_, r, err := s.parseRow(p, row[0], row[1])
		if err != nil {
			v.Unreadable = errors.Join(v.Unreadable, err)
		} else if first <= r.Worker && r.Worker <= last {
			v.Rows = append(v.Rows, r)
		}
	}
	slices.SortFunc(v.Rows, func(a, b store.Row) int { return cmp.Compare(a.Worker, b.Worker) })
	return v, slices.DeleteFunc(layouts, func(l string) bool { return l == p.Layout }), nil
}

// errAnswer is about an answer that is not the script's.
var errAnswer = errors.New("the answer is not the script's: a proxy changes it")

// texts returns an answer of n lists of texts.
func texts(answer any, n int) (all [][]string, err error) {
	lists, _ := answer.([]any)
	if len(lists) != n {
		return nil, errAnswer
	}
	for _, list := range lists {
		var some []string
		list, is := list.([]any)
		for _, text := range list {
			text, also := text.(string)
			is, some = is && also, append(some, text)
		}
		if !is {
			return nil, errAnswer
		}
		all = append(all, some)
	}
	return all, nil
}
