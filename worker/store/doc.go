// Package store is for authors of a new store of worker ids. To use an existing store you
// need only package worker and the store's own package.
//
// A [Store] keeps one row per worker id of a layout, and changes it by compare-and-set. To
// write a new one is mostly to translate one condition and one assignment, those given at
// [Write], into what its server does in one step. A store that can compare only whole rows
// keeps the text of [Row.Text], and calls [Write.Apply] to learn what the row becomes.
//
// Everything else is decided once for all stores: worker.Leased decides when to create rows,
// when to renew them, and what an answer proves. A store never repeats a write, and returns
// an error whenever it does not know whether one was applied.
//
// Package storetest has the shortest store as its example, and a test for each sentence of this
// contract:
//
//	storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(client) },
//		storetest.Options{})
package store
