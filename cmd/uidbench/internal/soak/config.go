package soak

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
)

var (
	// ErrDuplicate is wrapped by Run when an id came twice.
	ErrDuplicate = errors.New("soak: an id came twice")

	// ErrOrder is wrapped by Run when a process got an id that was not above its
	// last one.
	ErrOrder = errors.New("soak: ids out of order")

	// ErrProcess is wrapped by Run when a process ended without being told to, or no
	// longer takes ids although nothing prevents it.
	ErrProcess = errors.New("soak: a process failed")

	// ErrConfig is wrapped by Run for invalid settings.
	ErrConfig = errors.New("soak: invalid config")
)

// A Fault is something done to the processes or to the store.
type Fault string

// The faults, described in the package's documentation.
const (
	Kill  Fault = "kill"
	Pause Fault = "pause"
	Store Fault = "store"
	Clock Fault = "clock"
)

// ParseFaults reads a list such as kill,pause,store. It wraps ErrConfig.
func ParseFaults(list string) (faults []Fault, err error) {
	if list == "" || list == "none" {
		return nil, nil
	}
	for _, word := range strings.Split(list, ",") {
		f := Fault(strings.TrimSpace(word))
		if !slices.Contains([]Fault{Kill, Pause, Store, Clock}, f) {
			return nil, fmt.Errorf("%w: %q is no fault: there are kill, pause, store and clock, or none",
				ErrConfig, word)
		}
		if !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	return faults, nil
}

// Config says what Run is to do.
type Config struct {
	Processes int
	Duration  time.Duration // longer, if each fault has not been done once by then
	Faults    []Fault
	TTL       time.Duration // of the leases, and what the faults are timed by
	Window    time.Duration // of the namespace; longer than TTL, or takeovers prove little

	// Layout is that of the ids.
	Layout uid.Layout

	// Dir is an empty folder for the logs.
	Dir string

	// Command starts a process that calls Process with its stdin and stdout.
	Command func() *exec.Cmd

	// Spec goes to each process, as JSON.
	Spec any

	// TakeStore makes the store unreachable for all processes until end is called. It is
	// needed for the fault Store.
	TakeStore func(ctx context.Context) (end func() error, err error)

	// Progress is called about once a second. Nil: nobody wants to know.
	Progress func(bench.Progress)
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
	case slices.Contains(c.Faults, Pause) && !subprocess.CanPause:
		return fmt.Errorf("%w: this system cannot pause a process: leave the fault pause out", ErrConfig)
	case slices.Contains(c.Faults, Store) && c.TakeStore == nil:
		return fmt.Errorf("%w: there is no store to take away: leave the fault store out", ErrConfig)
	}
	return nil
}
