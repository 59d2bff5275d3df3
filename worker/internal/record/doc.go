// Package record is for stores that keep values they do not understand, such as
// ZooKeeper and etcd: the text of a namespace and of a row, and the contract of a
// write, decided by the client.
//
// Such a store compares nothing but versions. So its client reads the namespace
// and the row together with their versions, decides here, and writes on the
// condition that both versions still stand. Every write rotates the nonce and the
// version, so whoever decided on an older row misses.
//
// The texts are JSON, for people to read:
//
//	{"nonce":"9f...","held":true,"high":1772600767,"expires":"2026-03-04T05:06:07Z",...}
package record
