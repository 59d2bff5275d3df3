//go:build !linux

package soak

import "os/exec"

// dieWithUs has nothing to do here: the end of stdin tells a process that its
// supervisor is gone, and POSIX has a paused one woken up and hung up on.
func dieWithUs(*exec.Cmd) {}
