//go:build !unix

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

// become runs a program and exits as it does, on systems where a process cannot become another.
// The console sends an interrupt to both, and the program decides what to do.
func become(path string, args, env []string) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)

	cmd := exec.Command(path, args[1:]...)
	cmd.Args, cmd.Env = args, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
	}
	err := cmd.Wait()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return cli.Coded(nil, ended.ExitCode())
	}
	return err
}
