package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker"
)

// The kinds of worker ids that a store may keep.
const (
	disposable = "disposable"
	leased     = "leased"
)

// mustExist returns an error if a SQLite file does not exist, which SQLite would create.
func mustExist(s *storeurl.Store, kind string) error {
	path, ok := strings.CutPrefix(s.Name, "sqlite:")
	if !ok {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		rows := ""
		if kind == leased {
			rows = " --assigner leased --layout TIME/WORKER/SEQ"
		}
		return fmt.Errorf("there is no file %s: make it with `ringuid worker init --store %s%s`", path,
			s.Name, rows)
	}
	return nil
}

// nothing says that no rows were found, where, and what may be wrong.
func nothing(ctx context.Context, s *storeurl.Store) string {
	text := fmt.Sprintf("there are no leased worker ids in %s: this looked for %s. None were created "+
		"yet, or they were deleted; if processes have some, these use another %s", s.Name, s.Place,
		s.Differ)
	if s.Table == nil {
		return text
	}
	rows, err := s.Table.Nodes(ctx, 1)
	switch {
	case errors.Is(err, worker.ErrNoTables):
		text += ". There is no table WORKER_NODE either, which `ringuid worker init` creates"
	case err == nil && len(rows) > 0:
		text += fmt.Sprintf(". Its table WORKER_NODE has worker ids up to %d, which are never leased: "+
			"--assigner disposable lists them", rows[0].ID)
	}
	return text
}
