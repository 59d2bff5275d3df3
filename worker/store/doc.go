// Package store is for those who write a store of worker ids. Who uses one needs
// package worker and the store's own.
//
// A [Store] keeps one row per worker id and changes it by compare-and-set, so a
// new one is mostly the translation of one condition and one assignment, those at
// [Write], into what its server does in one step:
//
//	func (s *Store) Write(ctx context.Context, w store.Write) (applied bool, err error)
//
// Its Init is one line, [Init] on what the server can do, its [Catalog]:
//
//	func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
//		return store.Init(ctx, catalog{s}, n, o)
//	}
//
// Everything else is decided elsewhere, once for all stores: when to renew and what
// to believe by worker.Leased, which worker ids a namespace may have by Init, what a
// view says about its rows by the methods of [View]. A store never repeats a write,
// and answers an error whenever it does not know whether one was applied.
//
// Package memstore is the shortest example. Package storetest proves a store: each
// sentence of this contract is a test there.
//
//	storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(client) })
package store
