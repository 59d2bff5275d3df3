package soak

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill the process when the parent is gone. The end
// of stdin tells it too, unless it is paused.
func dieWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
