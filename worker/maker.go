package worker

import "context"

// A Maker is a Store that makes a namespace which is not there when a generator asks for a
// worker id of it. It may do so where nobody else has to be asked, and where what it
// keeps shows whether worker ids of the layout were ever granted. Leased calls it each
// time that the store's View wraps ErrNoNamespace, in many processes at once.
type Maker interface {
	Store
	MakeNamespace(ctx context.Context, name string, n Need) error
}
