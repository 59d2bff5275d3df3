package textstore

import (
	"context"
	"time"

	"github.com/ringuid/ringuid/internal/rows"
)

// Server is what a Store needs from a server. The error of a write that was sent and got no
// answer is Unanswered. Methods may be called from any goroutine.
type Server interface {
	// Check returns why the server cannot be used. The server keeps what it acknowledged.
	Check(ctx context.Context) error

	// List returns all rows, in any order. It reads those of other layouts no earlier than those
	// of this one, and shows everything that was acknowledged before.
	List(ctx context.Context, layout string) ([]Entry, error)

	// Get returns the text of one row, which is empty if the row does not exist. It shows
	// everything that was acknowledged before.
	Get(ctx context.Context, k Key) (text string, err error)

	// Create creates a row. It returns false if the row already exists.
	Create(ctx context.Context, k Key, text string) (created bool, err error)

	// CompareAndSet sets the text of a row if it equals old, and returns false otherwise.
	CompareAndSet(ctx context.Context, k Key, old, text string) (bool, error)

	// DeleteAll deletes the rows of a layout, or all rows if layout is empty.
	DeleteAll(ctx context.Context, layout string) error

	// Time asks the server for its time, each time anew. The server's clock showed a time between
	// shown and shown + grain at some moment between the request and the answer.
	Time(ctx context.Context) (shown time.Time, grain time.Duration, err error)

	// Advice says what to do about an error, and which error of package worker it is. Both may be
	// empty.
	Advice(err error) (do string, is error)
}

// Key names a row.
type Key = rows.Key

// ParsePath is the inverse of a Key's Path.
var ParsePath = rows.ParsePath

// Entry is a row as a server keeps it.
type Entry struct {
	Key
	Text string
}
