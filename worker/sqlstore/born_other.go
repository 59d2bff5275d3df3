//go:build !linux

package sqlstore

import "os"

// born is empty: os.Stat reports when a file was created.
func born(string) (at string, twice bool) { return "", false }

func alone(string) (*os.File, error) { return nil, nil }
