package store

import (
	"context"
	"time"
)

// A Registrar keeps a row for each start of a process, for worker.Disposable. Its worker ids are
// never used again, but only as long as these rows are kept:
//
//   - If a crash or a fail-over loses a row that was acknowledged, its id is given out again.
//     Kept finds the settings that let a crash do this; package sqlstore lists them.
//   - Never delete rows, and neither truncate nor recreate the table: some databases continue
//     to count from the highest row that is left.
//   - The key must come from the insert itself. If it is asked for afterwards, on another
//     connection of a pool, the answer is another process's key, or 0.
type Registrar interface {
	// Kept reads the settings that decide whether rows are kept. It returns an error that wraps
	// ErrStore and names the setting with which a crash may lose a row, if there is one. What else
	// can be known before Register uses up a key, such as a right that is missing, it returns too.
	Kept(ctx context.Context) error

	// Register durably adds a row for n and returns its key: 1 or more, and never one that it
	// returned before. An error, or an answer that is lost, may use up a key; calling again gets
	// the next one. maxID is the largest worker id that the layout holds, for advice in errors: for a
	// key above it, which nobody can use, there need be no row.
	//
	// After adding its row, a Registrar that shares a database with a Store must look there for a
	// row of that worker id, and return an error that wraps worker.ErrOverlap if there is one.
	Register(ctx context.Context, n Node, maxID int64) (id int64, err error)
}

// Node describes a process that registers: a row of Baidu's WORKER_NODE without its key.
// It is for people to read; no worker id depends on it.
type Node struct {
	HostName string // an address or a name, at most 64 characters
	Port     string // at most 64 characters

	// Type is Baidu's number. For 1, CONTAINER, the host and port are those that the platform
	// published for the container. For 2, ACTUAL, the host is an address or a name of the
	// machine, and the port is the start time in milliseconds and a random number.
	Type int

	LaunchDate time.Time // only the date is stored
}
