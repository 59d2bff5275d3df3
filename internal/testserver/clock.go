package testserver

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// clockShift is the variable that tells clock-shift.c how many seconds a server is ahead of the
// machine's clock.
const clockShift = "UID_TEST_CLOCK_SHIFT"

//go:embed testdata/clock-shift.c
var clockSource []byte

// Ahead gives the server a clock that is ahead of that of the tests, from its next start on, in
// whole seconds. It may be behind. A system that cannot do this lacks a server for the test.
func (s *Server) Ahead(d time.Duration) {
	s.t.Helper()
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		Missing(s.t, s.kind.name, "Linux and a C compiler, for a server with another clock")
	}
	s.ahead = d
}

// shiftClock gives a server the clock of the tests, if scripts/test-at.sh made it differ from
// the machine's, and what Ahead says.
func (s *Server) shiftClock(cmd *exec.Cmd) (err error) {
	library := os.Getenv("UID_TEST_CLOCK_PRELOAD")
	seconds, _ := strconv.Atoi(os.Getenv(clockShift)) // 0: not set
	if s.ahead != 0 && library == "" {
		source := filepath.Join(s.dir, "clock-shift.c")
		library = filepath.Join(s.dir, "clock-shift.so")
		if err = os.WriteFile(source, clockSource, 0o600); err == nil {
			var said []byte
			said, err = exec.Command("cc", "-shared", "-fPIC", "-O1", "-o", library, source,
				"-ldl").CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, said)
			}
		}
	}
	if library != "" {
		cmd.Env = append(cmd.Environ(), "LD_PRELOAD="+library,
			fmt.Sprintf("%s=%d", clockShift, seconds+int(s.ahead/time.Second)))
	}
	return err
}
