package textstore

import (
	"context"
	"time"
)

// Server is what a Store needs of a server. An error of a write that was sent and got no
// answer is Unanswered. Methods may be called from any goroutine.
type Server interface {
	// Check returns why the server cannot be used. It keeps what it acknowledged.
	Check(ctx context.Context) error

	// List returns the rows of a layout whose worker ids are from first to last, and all rows
	// of other layouts, in any order; others of the layout do no harm. It shows everything that
	// was acknowledged before.
	List(ctx context.Context, layout string, first, last int64) ([]Entry, error)

	// Get returns the text of one row, or false if there is none. It shows everything that was
	// acknowledged before.
	Get(ctx context.Context, k Key) (text string, there bool, err error)

	// Create creates a row. It returns false if there is one.
	Create(ctx context.Context, k Key, text string) (created bool, err error)

	// CompareAndSet replaces the text of a row if it is old, and returns false otherwise.
	CompareAndSet(ctx context.Context, k Key, old, text string) (bool, error)

	// DeleteAll deletes the rows of a layout, or all rows if it is empty.
	DeleteAll(ctx context.Context, layout string) error

	// Time asks the server for its time, each time anew. Its clock showed a time between
	// shown and shown + grain at some moment between the question and the answer.
	Time(ctx context.Context) (shown time.Time, grain time.Duration, err error)

	// Advice is what to do about an error, or empty.
	Advice(err error) string
}

// Key names a row. Keys of a server that sorts them as texts have 19 digits for the worker id.
type Key struct {
	Layout string
	Worker int64
}

// Entry is a row as a server keeps it.
type Entry struct {
	Key
	Text string
}
