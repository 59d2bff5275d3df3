package testserver

import (
	"os"
	"os/exec"
	"runtime"
	"time"
)

// process is a program that runs beside the test and dies with it.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how it ended; read it after done
}

// launch starts cmd.
func launch(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel counts a child orphaned when the thread that started it
		// ends, so this thread waits for it: golang/go#27505.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		dieWithUs(cmd)
		shiftClock(cmd)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
	}()
	return p, <-started
}

// stop asks the process to end, and kills it when it does not within a while.
func (p *process) stop(signal os.Signal) {
	if p.cmd.Process.Signal(signal) == nil {
		select {
		case <-p.done:
			return
		case <-time.After(30 * time.Second):
		}
	}
	p.kill()
}

// kill ends the process at once and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // an error means that it has ended
	<-p.done
}
