package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
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
			rows = " --layout SnowflakeLayout"
		}
		return fmt.Errorf("there is no file %s: make it with `ringuid worker init --store %s%s`", path,
			s.Name, rows)
	}
	return nil
}

// nothing says that no rows were found, where, and what may be wrong.
func nothing(s *storeurl.Store) string {
	return fmt.Sprintf("there are no leased worker ids in %s: this looked for %s. None were created "+
		"yet, or they were deleted; if processes have some, compare %s with theirs", s.Name, s.Place,
		s.Differ)
}
