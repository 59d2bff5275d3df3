// Package failover is for tests of stores whose servers fail while generators take ids.
//
//	h := failover.Start(t, s, 3, window) // a namespace of three worker ids
//	one, two := h.Join(s1), h.Join(s2)   // generators, which take ids from now on
//	cluster.Leader().Kill()
//	h.Recover("the leader was killed")   // each hands out ids that it was granted since
//	assert.Empty(t, h.Duplicates())
//
// A Holder is a generator with a worker id and the goroutines that take ids from it, over
// a store of its own, as if it were another process. Holders are those of one namespace.
// Package soak starts real processes; here all are in the test's, so that each write and
// each view is seen, and the very answer that was wrong can be told.
//
// Ids are taken as fast as there are any. So they lie a window ahead of the clock always,
// each generator has nothing left but what it is granted next, and a worker id that came
// to another holder with a High too low would bring duplicates at once.
//
// Two scenarios are made of it: TestCluster for servers that keep together what they
// acknowledged, and Lossy and Lossless for a primary and its replica. Checked is that
//
//   - no id comes twice, over all generators and all their lives;
//   - what one goroutine takes from one generator only grows;
//   - in a cluster, a write that was acknowledged is in every view that is asked for
//     afterwards, by whomever and from whichever server: the view has the nonce of that
//     write or of one built on it.
package failover
