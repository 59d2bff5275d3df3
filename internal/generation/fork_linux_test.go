package generation

import (
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAChildThatWasForkedHasAnotherNumber(t *testing.T) {
	word := OfProcess()
	assert.Same(t, word, OfProcess())
	assert.EqualValues(t, 1, word.Load())
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	child, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	if child == 0 { // it has this thread alone, and nothing of the scheduler's may be called
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(word.Load())+2, 0, 0)
	}
	require.Zero(t, errno)
	var status syscall.WaitStatus
	_, err := syscall.Wait4(int(child), &status, 0, nil)
	require.NoError(t, err)
	assert.Equal(t, 2, status.ExitStatus())
	assert.EqualValues(t, 1, word.Load())
}
