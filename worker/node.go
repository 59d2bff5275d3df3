package worker

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
)

// Node describes a process that registers: a row of WORKER_NODE without its key.
// It is for people to read; no worker id depends on it.
type Node struct {
	HostName   string    // an address or a name, at most 64 characters
	Port       string    // at most 64 characters; not a TCP port when Type is Actual
	Type       NodeType  // what HostName and Port are
	LaunchDate time.Time // only the date is stored
}

// NodeType says how a [Node] was named. The numbers are those of Baidu's table.
type NodeType int

const (
	// Container: the host and port that the platform published for the container.
	Container NodeType = 1
	// Actual: an address of the machine; the port is the start time in milliseconds and
	// a random number.
	Actual NodeType = 2
)

func (t NodeType) String() string {
	switch t {
	case Container:
		return "CONTAINER"
	case Actual:
		return "ACTUAL"
	}
	return fmt.Sprintf("NodeType(%d)", int(t))
}

// ThisNode describes this process as Baidu's UidGenerator would. In a container it takes
// host and port from JPAAS_HOST and JPAAS_HTTP_PORT (or JPAAS_HOST_PORT_8080), if the
// platform sets them; it is an error when only one of the two is set. Elsewhere the host
// is the first address that is neither loopback nor link-local; if there is none, the
// pod's name (POD_NAME) or the machine's.
func ThisNode() (Node, error) {
	return surroundings{machine.This, time.Now, rand.IntN}.node()
}

// surroundings is where the parts of a Node come from.
type surroundings struct {
	machine.Machine
	now    func() time.Time
	random func(n int) int
}

func (s surroundings) node() (Node, error) {
	now := s.now()
	host, port, err := s.container()
	if err != nil {
		return Node{}, err
	}
	if host != "" {
		return Node{column(host), column(port), Container, now}, nil
	}
	port = fmt.Sprintf("%d-%d", now.UnixMilli(), s.random(100_000))
	return Node{column(s.Host()), port, Actual, now}, nil
}

// container returns what a platform like Baidu's has set, or nothing.
func (s surroundings) container() (host, port string, err error) {
	host = strings.TrimSpace(s.Getenv("JPAAS_HOST"))
	port = strings.TrimSpace(s.Getenv("JPAAS_HTTP_PORT"))
	if port == "" {
		port = strings.TrimSpace(s.Getenv("JPAAS_HOST_PORT_8080"))
	}
	switch {
	case host != "" && port == "":
		return "", "", errors.New("worker: JPAAS_HOST is set, but no port: " +
			"set JPAAS_HTTP_PORT or JPAAS_HOST_PORT_8080 too, or unset JPAAS_HOST")
	case host == "" && port != "":
		return "", "", errors.New(
			"worker: JPAAS_HTTP_PORT or JPAAS_HOST_PORT_8080 is set, but no host: " +
				"set JPAAS_HOST too, or unset the port")
	}
	return host, port, nil
}

// column fits s into a VARCHAR(64) of any character set. It keeps both ends:
// the names of a deployment's pods differ in the last letters.
func column(s string) string {
	const width, head, gap = 64, 30, "..."
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	if len(s) <= width {
		return s
	}
	return s[:head] + gap + s[len(s)-(width-head-len(gap)):]
}
