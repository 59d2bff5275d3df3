//go:build !unix

package testserver

import "os/exec"

// There is no root here that PostgreSQL would refuse to run as.

func giveToNobody(string) error { return nil }

func runAsNobody(*exec.Cmd) error { return nil }
