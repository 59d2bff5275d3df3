// Package failover plays the fail-over of a real server against generators that
// take ids all the while, for the tests of stores.
//
// A Crew is some generators, each with a store of its own as if it were another
// process, and all ids that they ever took. Play loses acknowledged grants:
//
//	the replica hears nothing any more
//	generators take what they were granted, and are granted more
//	one crashes, one falls asleep, one goes on
//	the primary is killed, and the replica, which knows nothing of it, promoted
//	others take over the worker ids of the first two, and the sleeper wakes up
//
// No id may have been taken twice. A rehearsal with Site.Forge, where the new
// server's floor does not rise, must find some: else the play shows nothing.
package failover
