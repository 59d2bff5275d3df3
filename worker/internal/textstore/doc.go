// Package textstore is the store.Store of servers that keep texts which they do not
// understand, such as etcd, ZooKeeper and Kubernetes. Such a server can replace a text only
// if it still is what it was. So this machine reads a row, decides what a write makes of it,
// and has the server replace exactly the text that was read. Each write has a new nonce, so a
// text never comes again, unless the server is restored; and then it says the same as before.
// Versions do come again: a node that was deleted and created again counts from 0.
//
// The text is JSON, for people to read:
//
//	{"nonce":"9f...","high":1772600767,"held":true,"expires":"2026-03-04T05:06:07Z",...}
//
// A row without high was created and is not open yet.
//
// A write has no clock there. The server is asked for its time with each view, and a write goes
// by what the last view showed: this machine's time, within the bounds that the answer sets. See
// [Estimate].
package textstore
