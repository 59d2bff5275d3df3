// Package soak lets real processes share the worker ids of a real store, kills
// and pauses them as operations would, and checks whether any id came twice.
//
//	report, err := soak.Run(ctx, soak.Config{
//		Processes: 4, Duration: time.Minute, Faults: []soak.Fault{soak.Kill, soak.Pause},
//		Rate: 2000, TTL: 2 * time.Second, Window: 5 * time.Second,
//		Dir: dir, Command: command, Spec: spec,
//	})
//	err = soak.WriteText(os.Stdout, report)
//
// # The processes
//
// Run is the supervisor. It starts processes of the same program, each of which
// calls Process: a cached generator on a leased worker id, whose every id goes to
// a log before the next one is taken. There are as many rows as processes, so
// nobody gets a worker id that somebody else has not lost or given back.
//
// Package subprocess is how they talk. A process tells what it does: each write to the
// store before it is sent, so that a process killed in the middle of one has said so.
//
// A process takes ids at a steady rate. Before a fault the supervisor has it take all
// that is granted, at once: its ids then lie a window ahead of the clock.
// That is what makes a soak worth its time, since a process that follows the clock
// leaves nothing which its successor could mint again, fence or no fence. For the
// same reason the window is to be longer than the lease.
//
// # The faults
//
//   - kill: SIGKILL, and a new process at once. It gets a worker id when the
//     lease of the dead one has run out: a takeover.
//   - clock: the same, and the new process believes it is up to an hour ago.
//   - pause: SIGSTOP. A stand-in is started, takes the worker id over when the
//     lease has run out, and mints; then SIGCONT. The sleeper wakes up with ids
//     in its ring and a lease that it believes in.
//   - store: the store is gone for all of them, long enough for leases to run
//     out, and comes back.
//
// They come one at a time, and after each the supervisor wants to see every
// process take ids again.
//
// # What is counted
//
// An id counts when it is in a log: what a killed process had taken and not
// written was seen by nobody. Duplicates are looked for in all logs together,
// order within each one, which is one life of one process. A takeover is an
// acquisition that the store acknowledged, of a row that the store showed as held:
// one that nobody released. Where a process was killed before it learned what
// became of a write, a later write tells, which expects the nonce that this one
// left.
//
// Logs are checked by sorting all their ids, in a little memory and a file, whatever
// their length: package idlog.
package soak
