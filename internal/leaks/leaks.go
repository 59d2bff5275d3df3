// Package leaks fails tests that leave goroutines running, without a dependency that
// users of the tested packages would have to download:
//
//	func TestMain(m *testing.M) { os.Exit(leaks.Run(m)) }
package leaks

import (
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

// Run runs the tests, waits for the goroutines that they started, and prints those that do not
// end. It returns the exit code.
func Run(tests interface{ Run() int }) int { return run(tests, 10*time.Second, os.Stderr) }

func run(tests interface{ Run() int }, patience time.Duration, w io.Writer) int {
	before := stacks()
	code := tests.Run()
	if code != 0 {
		return code // a test that failed did not clean up
	}
	left := since(before)
	for until := time.Now().Add(patience); len(left) > 0 &&
		time.Now().Before(until); left = since(before) {
		time.Sleep(10 * time.Millisecond)
	}
	if len(left) == 0 {
		return 0
	}
	fmt.Fprintf(w, "%d goroutines are left after the tests:\n\n%s\n", len(left),
		strings.Join(left, "\n\n"))
	return 1
}

// since returns the stacks of goroutines that did not exist before.
func since(before map[string]string) (left []string) {
	for id, stack := range stacks() {
		_, old := before[id]
		if !old && !strings.Contains(stack, "os/signal.loop") { // signal.Notify's, which never ends
			left = append(left, stack)
		}
	}
	return left
}

// stacks returns the stacks of all goroutines, by goroutine id.
func stacks() map[string]string {
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	all := map[string]string{}
	for stack := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n\n") {
		all[strings.Fields(stack)[1]] = stack // goroutine 18 [chan receive]:
	}
	return all
}
