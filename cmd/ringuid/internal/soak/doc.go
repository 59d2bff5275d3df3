// Package soak lets real processes share the worker ids of a real store, kills and pauses
// them as may happen in operation, and checks for duplicate ids.
//
// Run is the supervisor. It starts processes of the same program, each of which calls Process:
// a cached generator on a leased worker id, each of whose ids goes to a log before the next one
// is taken. There are as many rows as processes, so no process gets a worker id that another
// has not lost or released. A process reads its job from stdin, where `ps` does not look for
// passwords, and ends when stdin does.
//
// A process takes everything that is granted at once, so that its ids lie a window ahead of
// the clock. Without that a soak would prove little: a process that follows the clock leaves
// no ids that its successor could make again, with or without a fence. For the same reason
// the window must be longer than the lease.
//
// Faults come one at a time, and each is done at least once:
//
//   - kill: SIGKILL, and a new process at once. It gets a worker id when the lease of the
//     dead process has run out: a takeover.
//   - pause: SIGSTOP, where the system has it. A replacement is started, takes over the
//     worker id when the lease has run out, and makes ids; then SIGCONT. The paused process
//     resumes with a lease that it believes it holds. One that was paused in the middle of a
//     write to a file keeps it locked, so that no process can take over: it is paused again.
//
// An id counts when it is in a log: what a killed process had taken but not written was never
// seen. Package idlog searches for duplicates across all logs, and checks the order within each
// one, which belongs to one process from start to end.
package soak
