package testserver

import (
	"os"
	"os/exec"
)

// shiftClock gives a server the clock of the tests, where scripts/test-at.sh made that
// another than the machine's.
func shiftClock(cmd *exec.Cmd) {
	if library := os.Getenv("UID_TEST_CLOCK_PRELOAD"); library != "" {
		cmd.Env = append(cmd.Environ(), "LD_PRELOAD="+library)
	}
}
