package child

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the kernel kill the child, even a paused one, when this process is gone. The
// child gets a process group of its own, so that ^C in a terminal stops this process first.
func dieWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	cmd.SysProcAttr.Setpgid = true
}
