package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/pflag"
)

// profiles are the files to leave the Go runtime's own observations in.
type profiles struct {
	cpu, mem, trace string
	stops           []func() error
}

func (p *profiles) bind(flags *pflag.FlagSet) {
	flags.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to this `FILE`, for go tool pprof")
	flags.StringVar(&p.mem, "memprofile", "", "write a profile of the memory in use at the end to this `FILE`")
	flags.StringVar(&p.trace, "trace", "", "write an execution trace to this `FILE`, for go tool trace")
}

// start begins the profiles. Stop must be called, also after an error.
func (p *profiles) start() error {
	if p.cpu != "" {
		f, err := p.create(p.cpu)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
		p.before(func() error { pprof.StopCPUProfile(); return nil })
	}
	if p.trace != "" {
		f, err := p.create(p.trace)
		if err != nil {
			return err
		}
		if err := trace.Start(f); err != nil {
			return fmt.Errorf("--trace: %w", err)
		}
		p.before(func() error { trace.Stop(); return nil })
	}
	if p.mem != "" {
		f, err := p.create(p.mem)
		if err != nil {
			return err
		}
		p.before(func() error {
			runtime.GC() // the profile is of the last collection
			return pprof.WriteHeapProfile(f)
		})
	}
	return nil
}

// stop ends what start began, and closes the files.
func (p *profiles) stop() error {
	var errs []error
	for _, stop := range p.stops {
		errs = append(errs, stop())
	}
	p.stops = nil
	return errors.Join(errs...)
}

func (p *profiles) create(path string) (*os.File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	p.before(f.Close)
	return f, nil
}

// before has stop do f before all that it was told earlier.
func (p *profiles) before(f func() error) { p.stops = append([]func() error{f}, p.stops...) }
