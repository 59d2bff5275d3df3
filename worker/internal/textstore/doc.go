// Package textstore implements store.Store on servers that keep texts without interpreting
// them, such as etcd, ZooKeeper and Kubernetes. Such a server can replace a text on the
// condition that it has not changed. So this machine reads a row, decides what a write makes of
// it, and has the server replace exactly the text that was read. Each write has a new nonce, so
// a text never recurs unless the server is restored, and then it means the same as before.
// Versions do recur: those of a node that was deleted and created again start at 0.
//
// A write to such a server cannot read a clock. The server is asked for its time with each
// view, and a write uses what the last view showed, which never allows more than the present
// would. See [Reading].
package textstore
