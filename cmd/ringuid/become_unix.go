//go:build unix

package main

import (
	"fmt"
	"syscall"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// become replaces this process by a program, which keeps its id, its parent, its files and its
// terminal: there is no process in between that could lose a signal or an exit code.
func become(path string, args, env []string) error {
	err := syscall.Exec(path, args, env) // returns only if it failed
	return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
}
