package subprocess

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// Process is a subprocess, as its parent sees it.
type Process struct {
	cmd    *exec.Cmd
	stdout *bufio.Reader // of its lines
	stdin  io.WriteCloser
	ended  sync.Once // stdin is
	out    *os.File
	exited chan struct{}
	err    error // how it exited
}

const stdoutBuffer = 64 << 10

// Start starts a process and gives it a job. Where the system supports it, the process is
// killed when this one ends.
func Start(cmd *exec.Cmd, job any) (*Process, error) {
	line, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, exited: make(chan struct{})}
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Not cmd.StdoutPipe: that one is closed when the process exits, read or not.
	out, in, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, p.stdin.Close())
	}
	p.out, p.stdout, cmd.Stdout = out, bufio.NewReaderSize(out, stdoutBuffer), in
	dieWithParent(cmd)
	if err := p.start(in); err != nil {
		return nil, errors.Join(err, p.stdin.Close(), out.Close())
	}
	// An error says that it has exited already, as the end of its stdout does.
	_, _ = p.stdin.Write(append(line, '\n'))
	return p, nil
}

// start returns when the process has started. The kernel counts it as orphaned when the
// thread that started it ends, so this thread waits for it: golang/go#27505.
func (p *Process) start(stdout *os.File) error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		stdout.Close() // that is the process's
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.exited)
		}
	}()
	return <-started
}

// ErrLine is wrapped by Receive for a line that is no message.
var ErrLine = errors.New("subprocess: not a message")

// Receive reads the next line of the process. The error is io.EOF when it has exited or
// closed its stdout.
func (p *Process) Receive(message any) error {
	line, err := p.stdout.ReadBytes('\n')
	if err != nil {
		return io.EOF // half a line is as good as none
	}
	if err := json.Unmarshal(line, message); err != nil {
		return fmt.Errorf("%w: %q: %w", ErrLine, line, err)
	}
	return nil
}

// Signal sends the process a signal. An error means that it has exited.
func (p *Process) Signal() error {
	_, err := p.stdin.Write([]byte{'\n'})
	return err
}

// End tells the process to end.
func (p *Process) End() {
	p.ended.Do(func() { _ = p.stdin.Close() }) // an error says that it has exited
}

// Kill ends the process at once.
func (p *Process) Kill() { _ = p.cmd.Process.Kill() } // an error says that it has exited

// Exited is closed when the process has exited.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Wait waits until the process has exited, and returns how. Messages that were not yet
// received are dropped. It must not be called during a Receive.
func (p *Process) Wait() error {
	_, _ = io.Copy(io.Discard, p.stdout)
	<-p.exited
	_ = p.out.Close()
	return p.err
}

// Pause stops the process, until Resume. See CanPause.
func (p *Process) Pause() error { return pause(p.cmd.Process) }

// Resume resumes a paused process.
func (p *Process) Resume() error { return resume(p.cmd.Process) }
