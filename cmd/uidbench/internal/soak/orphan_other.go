//go:build !linux

package soak

import "os/exec"

// dieWithParent has nothing to do here: the end of stdin tells a process that its
// parent is gone, and POSIX has a paused one woken up and hung up on.
func dieWithParent(*exec.Cmd) {}
