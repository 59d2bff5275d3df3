// Package rowtext is for stores that keep values they do not understand, such as ZooKeeper
// and etcd: it has the text of a namespace and of a row, and evaluates the conditions of
// a write in the client.
//
// Such a store compares only versions. So its client reads the namespace and the row
// together with their versions, decides, and writes on the condition that both versions
// are unchanged. Every write changes the nonce and the version, so a decision based on an
// older row is not written.
//
// The texts are JSON, for people to read:
//
//	{"nonce":"9f...","held":true,"high":1772600767,"expires":"2026-03-04T05:06:07Z",...}
package rowtext
