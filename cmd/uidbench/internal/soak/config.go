package soak

import (
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/ringuid/ringuid/uid"
)

var (
	// ErrOrder is wrapped by Run when a process got an id that was not above its
	// last one.
	ErrOrder = errors.New("soak: ids out of order")

	// ErrProcess is wrapped by Run when a process ended without being told to, or no
	// longer takes ids although nothing prevents it.
	ErrProcess = errors.New("soak: a process failed")

	// ErrConfig is wrapped by Run for invalid settings.
	ErrConfig = errors.New("soak: invalid config")
)

// Config says what Run is to do.
type Config struct {
	Processes int
	Duration  time.Duration // longer, if each fault has not been done once by then
	TTL       time.Duration // of the leases, and what the faults are timed by

	// Layout is that of the ids.
	Layout uid.Layout

	// Dir is an empty folder for the logs.
	Dir string

	// Command starts a process that calls Process with its stdin.
	Command func() *exec.Cmd

	// Spec goes to each process, as JSON.
	Spec any

	// Started is called when all processes take ids. Nil: nobody wants to know.
	Started func()
}

// Validate refuses invalid settings; the error wraps ErrConfig.
func (c Config) Validate() error {
	switch {
	case c.Processes < 1 || c.Processes > 1000:
		return fmt.Errorf("%w: %d processes: want 1 to 1000", ErrConfig, c.Processes)
	case c.Duration <= 0:
		return fmt.Errorf("%w: a duration of %v: want more", ErrConfig, c.Duration)
	case c.TTL < 100*time.Millisecond:
		return fmt.Errorf("%w: leases of %v: want 100 ms or more", ErrConfig, c.TTL)
	}
	return nil
}
