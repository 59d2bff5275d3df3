// Package store is for authors of a new store of worker ids. To use an existing store you
// need only package worker and the store's own package.
//
// A [Store] keeps one row per worker id and changes it by compare-and-set, so a
// new one is mostly the translation of one condition and one assignment, those at
// [Write], into what its server does in one step:
//
//	func (s *Store) Write(ctx context.Context, w store.Write) (applied bool, err error)
//
// Its Init is one line: it calls [Init] with the store's [Catalog], a handful of reads and
// writes:
//
//	func (s *Store) Init(ctx context.Context, n store.Namespace, o store.InitOptions) error {
//		return store.Init(ctx, catalog{s}, n, o)
//	}
//
// Everything else is decided once for all stores: worker.Leased decides when to renew and
// what an answer proves, Init which worker ids a namespace may have, and the methods of
// [View] what a view says about its rows. A store never repeats a write, and returns an
// error whenever it does not know whether one was applied.
//
// Package memstore is the shortest example. Package storetest has a test for each sentence
// of this contract:
//
//	storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(client) })
package store
