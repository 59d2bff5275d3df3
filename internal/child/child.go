// Package child starts programs that run beside this process and die with it.
package child

import (
	"os/exec"
	"runtime"
)

// Process is a program that was started.
type Process struct {
	Cmd   *exec.Cmd
	Ended chan struct{} // closed when it has ended
	Err   error         // how it ended; read it after Ended
}

// Start starts cmd.
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{Cmd: cmd, Ended: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel considers a child orphaned when the thread that started it ends, so this thread
		// waits for it: golang/go#27505.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.Ended)
		dieWithUs(cmd)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.Err = cmd.Wait()
		}
	}()
	return p, <-started
}

// Kill ends the process at once and waits until it has ended.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // an error means that it has ended
	<-p.Ended
}
