//go:build unix

package testserver

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// PostgreSQL refuses to run as root. A test that does, in a container say, runs
// it as the user nobody.

// nobody returns that user when we are root.
func nobody() (uid, gid int, root bool, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, false, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, true, err
	}
	if uid, err = strconv.Atoi(u.Uid); err != nil {
		return 0, 0, true, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, true, err
}

func giveToNobody(dir string) error {
	uid, gid, root, err := nobody()
	if err != nil || !root {
		return err
	}
	return chownAll(dir, uid, gid)
}

func runAsNobody(cmd *exec.Cmd) error {
	uid, gid, root, err := nobody()
	if err != nil || !root {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)},
	}
	return nil
}
