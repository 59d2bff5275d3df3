package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/ringuid/ringuid/cmd/internal/cli"
)

// become replaces this process by a program, which keeps its id, its parent, its files and its
// terminal: there is no process in between that could lose a signal or an exit code. On systems
// where a process cannot become another, it runs the program and exits as that does.
func become(path string, args, env []string) error {
	err := syscall.Exec(path, args, env) // returns only if it failed
	if !errors.Is(err, errors.ErrUnsupported) {
		return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
	}
	// The console sends an interrupt to both, and the program decides what to do.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	cmd := exec.Command(path, args[1:]...)
	cmd.Args, cmd.Env = args, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return cli.Coded(nil, ended.ExitCode())
	}
	if err != nil {
		return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
	}
	return nil
}
