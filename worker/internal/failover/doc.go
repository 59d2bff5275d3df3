// Package failover tests stores whose servers fail while generators take ids.
//
//	h := failover.Start(t, s, 3)       // a pool of three worker ids
//	one, two := h.Join(s1), h.Join(s2) // generators, which take ids from now on
//	cluster.Leader().Kill()
//	h.Recover("the leader was killed") // each hands out ids that it was granted since
//	assert.Empty(t, h.Duplicates())
//
// A [Holder] is a generator with a worker id and the goroutines that take ids from it,
// over a store of its own, as if it were another process. [Holders] are all holders of
// one pool. Package soak starts real processes; here everything runs in the test's
// process, so that it sees each write and each view, and can name the answer that was
// wrong.
//
// Ids are taken as fast as possible. So they always lie a window ahead of the clock, each
// generator has used up all it was granted, and a worker id that another holder got with
// too low a High would give duplicates at once.
//
// There are two scenarios: [TestCluster] for servers that together keep what they
// acknowledged, and [Lossy] and [Lossless] for a primary and its replica. They check that
//
//   - no id comes twice, over all generators and all their lives;
//   - the ids that one goroutine takes from one generator increase;
//   - in a cluster, a write that was acknowledged is in every later view, of any client
//     and from any server: the view has the nonce of that write or of one built on it.
package failover
