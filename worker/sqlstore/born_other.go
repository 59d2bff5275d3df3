//go:build !linux

package sqlstore

// born is empty: os.Stat reports when a file was created.
func born(string) (at string, twice bool) { return "", false }
