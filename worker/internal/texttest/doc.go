// Package texttest is what the tests of etcd, ZooKeeper and Kubernetes have in common: servers
// of a textstore that fail, sleep, go back in time or count again, and machines whose clock is
// wrong.
package texttest
