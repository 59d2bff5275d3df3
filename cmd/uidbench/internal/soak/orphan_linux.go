package soak

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the kernel kill the process when the supervisor is gone. The end
// of stdin tells it too, unless it is paused.
func dieWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
