package preset

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker"
)

// CachedInFile is [worker.Leased], but prefers the worker id of the last start, which it
// keeps in a file at path, as Leaf and others do. The file is only a hint; the store
// decides. If the file cannot be read or written, that is logged.
func CachedInFile(s worker.Store, c worker.Claim, path string) worker.Assigner {
	log := asynclog.Logger(cmp.Or(c.Logger, slog.Default()))
	id, err := readHint(path)
	if err != nil && !os.IsNotExist(err) {
		log.Warn("the worker id of the last start cannot be read", "file", path, "reason", err)
	}
	if err == nil {
		c.Order = first(id, c.Order)
	}
	return cachedInFile{worker.Leased(s, c), path, log}
}

type cachedInFile struct {
	worker.Assigner
	path string
	log  *slog.Logger
}

func (f cachedInFile) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	l, err := f.Assigner.Assign(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := writeHint(f.path, l.WorkerID()); err != nil {
		f.log.Warn("the worker id cannot be written down for the next start", "file", f.path, "reason",
			err)
	}
	return l, nil
}

// first puts one worker id before all others, which stay in their order. Nil is
// the default order.
func first(id int64, order worker.Order) worker.Order {
	if order == nil {
		order = worker.Spread
	}
	return func(free []worker.Row, c worker.Claim) []worker.Row {
		rows := order(free, c)
		i := slices.IndexFunc(rows, func(r worker.Row) bool { return r.Worker == id })
		if i < 0 {
			return rows
		}
		preferred := rows[i]
		return slices.Insert(slices.Delete(rows, i, i+1), 0, preferred)
	}
}

func readHint(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// writeHint replaces the file as a whole: half a number would be another one.
func writeHint(path string, id int64) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = fmt.Fprintln(f, id); err != nil {
		f.Close()
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
