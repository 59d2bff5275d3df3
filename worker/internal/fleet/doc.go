// Package fleet lets generators of one process share the worker ids of one store
// while a test does things to its servers, and looks whether anything went wrong.
//
// Unlike package soak, which starts processes, it stays in the test's: so it sees
// each write and each view, and can tell the very answer that was wrong.
//
//	f := fleet.Start(t, stores...)     // a generator for each, which take ids from now on
//	cluster.Leader().Kill()
//	f.Recovers("a leader is killed")   // by itself, each of them
//	f.Finish()
//
// Ids are taken as fast as there are any. So they lie a window ahead of the clock
// always, each generator has nothing left but what it is granted next, and a worker
// id that came to another holder with a High too low would bring duplicates at once.
//
// What is checked:
//
//   - no id comes twice, over all generators and all their lives;
//   - what one goroutine takes from one generator only grows;
//   - a write that was acknowledged is in every view that is asked for afterwards,
//     by whomever and from whichever server: the view has the nonce of that write
//     or of one built on it, and a High no lower.
package fleet
