package main

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// readKeys returns the keys in a file, or nil without a file.
func readKeys(file string) (*opaque.Keys, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.Usagef("--keys: %v", err)
	}
	keys, err := opaque.ParseKeys(string(text))
	if err != nil {
		return nil, cli.Usagef("--keys %s: %v", file, err)
	}
	return keys, nil
}

// readID returns the id that a text shows, in every form that ids are shown in. The prefix of a
// kind may stand before it. keys is nil if there are none. Baidu's ids may be negative.
func readID(s string, keys *opaque.Keys) (uid.ID, error) {
	id, err := uid.ParseID(s)
	if err == nil {
		return id, nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n < 0 {
		return uid.ID(n), nil
	}
	i := strings.LastIndexByte(s, '_') + 1
	var shown opaque.ID
	switch u, notUUID := opaque.ParseUUID(s); {
	case notUUID == nil:
		shown, err = u.ID()
	case i > 0:
		shown, err = opaque.Parse(s[i:])
	default:
		if shown, err = opaque.Parse(strings.ToLower(s)); err != nil {
			return 0, noID(s)
		}
	}
	if err != nil {
		return 0, cli.Usagef("%q: %w", s, err)
	}
	return reveal(shown, keys)
}

func noID(s string) error {
	if _, err := uid.ParseID(s); errors.Is(err, uid.ErrRange) {
		return cli.Usagef("%s is no id: an id is at most %d, and Baidu's at least %d", s,
			int64(math.MaxInt64), int64(math.MinInt64))
	}
	return cli.Usagef("%q is not an id: type its decimal digits, or a form that `ringuid decode "+
		"--help` lists", s)
}

func reveal(shown opaque.ID, keys *opaque.Keys) (uid.ID, error) {
	if shown.Key == 0 {
		return shown.Number, nil
	}
	if keys == nil {
		return 0, cli.Usagef("%v is hidden by key %d: type --keys FILE, a file with %d:SECRET", shown,
			shown.Key, shown.Key)
	}
	id, err := keys.Reveal(shown)
	if err != nil {
		return 0, cli.Usagef("%v: %w", shown, err)
	}
	return id, nil
}
