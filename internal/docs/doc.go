// Package docs holds the documentation to what the code does. It has tests alone:
//
//   - Every command in the README, in CONTRIBUTING, RELEASING, SECURITY and
//     docs/, and every example in uidbench's help, is run, and must exit as its place
//     promises.
//   - Each Chinese page is in step with its original: the same headings, code, tables,
//     numbers, code words and links.
//   - Links lead somewhere, and the tests and examples that pages name exist.
//   - Workflows and RELEASING make what the Makefile has; dependabot looks at each module; what
//     contributors are sent to exists.
//   - The script that checks a release refuses what is not ready, each for its reason.
//
// # How commands are run
//
// What is a command: each line of a block that is marked as sh, and each inline
// `uidbench …`, `go run …`, `go test …` or `make …`. In a table whose header has
// `uidbench plan …` with the dots, each `--flag …` below completes it.
//
// A command runs in a shell, in a folder of its own; the lines of one block, or of
// one example, share theirs. On the path are stand-ins for some programs: uidbench
// appends the flags that make a command short (the last of two equal flags wins) and
// goes on to the real one, which was built for this; go and make look whether the
// package, the test, the benchmark, the target is there, since running all tests
// inside a test would have no end. Stores in a URL are real servers.
//
// All that is done to a command is in the table rules (rules_test.go), with its
// reason. A rule that nothing needs any more fails the test, and so does a command
// that fails as it stands. Who writes documentation corrects the command then, or
// adds a rule.
package docs
