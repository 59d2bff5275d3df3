package testserver

import (
	"os"
	"os/exec"
)

// ClockShift is the variable by which programs that scripts/test-at.sh had built know how
// many seconds they are ahead of the machine's clock. Whoever starts one with an
// environment of its own hands it on.
const ClockShift = "UID_TEST_CLOCK_SHIFT"

// shiftClock gives a server the clock of the tests, where scripts/test-at.sh made that
// another than the machine's.
func shiftClock(cmd *exec.Cmd) {
	if library := os.Getenv("UID_TEST_CLOCK_PRELOAD"); library != "" {
		cmd.Env = append(cmd.Environ(), "LD_PRELOAD="+library)
	}
}
