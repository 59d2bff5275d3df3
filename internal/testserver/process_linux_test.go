package testserver

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asChild names the server that the test binary is to start and then to be
// killed beside.
const asChild = "TESTSERVER_CHILD"

func TestServerDiesWithTheTest(t *testing.T) {
	if os.Getenv(asChild) != "" {
		s := Redis(t)
		fmt.Println("dir", s.dir)
		fmt.Println("addr", s.Addr())
		bufio.NewReader(os.Stdin).ReadByte() // until killed
		return
	}
	Redis(t) // skips, or fails, when there is none
	child := exec.Command(os.Args[0], "-test.run=^TestServerDiesWithTheTest$")
	child.Env = append(os.Environ(), asChild+"=1")
	_, err := child.StdinPipe()
	require.NoError(t, err)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	var dir, addr string
	for lines := bufio.NewScanner(out); addr == "" && lines.Scan(); {
		fmt.Sscanf(lines.Text(), "dir %s", &dir)
		fmt.Sscanf(lines.Text(), "addr %s", &addr)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NotEmpty(t, addr)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err, "the child's server serves")
	defer c.Close()

	require.NoError(t, child.Process.Kill())
	child.Wait()
	// A server that ends closes its connections.
	require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = c.Read(make([]byte, 1))
	require.Error(t, err)
	assert.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}
