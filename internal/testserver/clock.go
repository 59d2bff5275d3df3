package testserver

import (
	"os"
	"os/exec"
)

// ClockShift is the variable that tells programs built by scripts/test-at.sh how many seconds
// they are ahead of the machine's clock. A test that starts one with an environment of its own
// must pass it on.
const ClockShift = "UID_TEST_CLOCK_SHIFT"

// shiftClock gives a server the clock of the tests, if scripts/test-at.sh made it differ from
// the machine's.
func shiftClock(cmd *exec.Cmd) {
	if library := os.Getenv("UID_TEST_CLOCK_PRELOAD"); library != "" {
		cmd.Env = append(cmd.Environ(), "LD_PRELOAD="+library)
	}
}
