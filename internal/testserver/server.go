package testserver

import (
	"cmp"
	"crypto/rsa"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/child"
)

// Server is a running server. Its methods are for the test's goroutine, except for Addr, DSN
// and URL, which any goroutine may call; what these return stays the same across restarts.
type Server struct {
	t       testing.TB
	kind    kind
	bin     string // the program
	dir     string // everything this server writes
	port    int
	peer    int       // a second port, for servers that need one
	vote    int       // a third
	members []*Server // of a cluster, this one among them
	durable bool
	args    []string
	proc    *child.Process // nil while stopped
	paused  bool
	ahead   time.Duration   // of the clock of the tests
	key     *rsa.PrivateKey // that a Kubernetes signs with
}

// kind describes one sort of server.
type kind struct {
	name    string // also, in lower case, the word in UID_TEST_REQUIRE
	install string // how to get it
	find    func() (bin string, ok bool)
	prepare func(s *Server) error                          // fills s.dir, once; may be nil
	args    func(s *Server) []string                       // with which it runs in the foreground
	durable []string                                       // more: it keeps what it acknowledged
	fast    []string                                       // or: it does not
	inFile  bool                                           // prepare writes the settings into a file
	run     func(program string, args ...string) *exec.Cmd // nil: exec.Command
	ready   question
	signal  os.Signal // asks it to end in good order; nil: SIGTERM
	dsn     string    // %s is the address; empty: url
	url     string    // %s is the address
}

// settings returns how a server of its kind is told what its test wants.
func (s *Server) settings() []string {
	if s.durable {
		return slices.Concat(s.kind.durable, s.args)
	}
	return slices.Concat(s.kind.fast, s.args)
}

// Option changes how a server runs.
type Option func(*Server)

// Durable makes the server write to disk before it acknowledges.
func Durable() Option { return func(s *Server) { s.durable = true } }

// Args adds command-line arguments, after those that the package gives; for
// ZooKeeper, lines of its configuration.
func Args(args ...string) Option { return func(s *Server) { s.args = append(s.args, args...) } }

const (
	patience = 3 * time.Minute  // with a server that runs but does not serve yet
	retries  = 30 * time.Second // for a start that fails at once, as after a Kill
)

// starter returns a function that runs a new server of kind k for the duration of a test.
func starter(k kind) func(testing.TB, ...Option) *Server {
	return func(t testing.TB, options ...Option) *Server {
		t.Helper()
		s := newServer(t, k, options)
		s.prepare()
		s.Start()
		return s
	}
}

func newServer(t testing.TB, k kind, options []Option) *Server {
	t.Helper()
	bin, ok := k.find()
	if !ok {
		Missing(t, k.name, k.install)
	}
	s := &Server{t: t, kind: k, bin: bin, dir: TempDir(t), port: Port(t), peer: Port(t),
		vote: Port(t)}
	for _, o := range options {
		o(s)
	}
	return s
}

func (s *Server) prepare() {
	s.t.Helper()
	if s.kind.prepare != nil {
		if err := s.kind.prepare(s); err != nil {
			s.t.Fatalf("%s: preparing %s: %v\n%s", s.kind.name, s.dir, err, s.log())
		}
	}
	s.t.Cleanup(s.Stop)
}

// Addr is the server's host:port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// DSN names the server as its Go client wants it.
func (s *Server) DSN() string { return fmt.Sprintf(cmp.Or(s.kind.dsn, s.kind.url), s.Addr()) }

// URL names the server as the tools of this module want it.
func (s *Server) URL() string { return fmt.Sprintf(s.kind.url, s.Addr()) }

// Start runs the server on its data, unless it is running, and waits until it serves.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.up(); err != nil {
		s.t.Fatal(err)
	}
}

// up does what Start does, in any goroutine.
func (s *Server) up() error {
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err := s.launch()
		if err == nil {
			return nil
		}
		// The port or the memory of a server that was killed may be free soon.
		if time.Since(begin) > retries {
			return fmt.Errorf("%s does not start: %w\n%s", s.kind.name, err, s.log())
		}
	}
}

// launch starts the program, unless it runs, and waits until it serves or ends.
func (s *Server) launch() (err error) {
	proc := s.proc
	if proc == nil {
		if proc, err = s.run(); err != nil {
			return err
		}
	}
	for begin := time.Now(); ; {
		select {
		case <-proc.Ended:
			return fmt.Errorf("it ended: %v", proc.Err)
		case <-time.After(max(5*time.Millisecond, time.Since(begin)/16)): // a slow one less often
		}
		if err = ask(s.Addr(), s.kind.ready); err == nil {
			s.proc = proc
			return nil
		}
		if time.Since(begin) > patience {
			proc.Kill()
			return fmt.Errorf("it runs, but does not serve: %w", err)
		}
	}
}

// run starts the program.
func (s *Server) run() (*child.Process, error) {
	log, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args, command := s.kind.args(s), s.kind.run
	if !s.kind.inFile {
		args = append(args, s.settings()...)
	}
	if command == nil {
		command = exec.Command
	}
	cmd := command(s.bin, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	if err := s.shiftClock(cmd); err != nil {
		return nil, err
	}
	return child.Start(cmd)
}

// Stop ends the server in good order. It does nothing if the server is not running.
func (s *Server) Stop() {
	if s.proc == nil {
		return
	}
	s.Resume()
	if s.proc.Cmd.Process.Signal(cmp.Or[os.Signal](s.kind.signal, syscall.SIGTERM)) == nil {
		select {
		case <-s.proc.Ended:
		case <-time.After(30 * time.Second):
		}
	}
	s.proc.Kill()
	s.proc = nil
}

// Kill ends the server as a power cut would, except that the machine's memory survives: what
// the server had given to the operating system is kept.
func (s *Server) Kill() {
	if s.proc == nil {
		return
	}
	s.proc.Kill()
	s.proc, s.paused = nil, false
}

func (s *Server) logPath() string { return filepath.Join(s.dir, "log") }

// log returns the end of what the server has logged.
func (s *Server) log() string {
	const most = 4000
	text, _ := os.ReadFile(s.logPath())
	return string(text[max(0, len(text)-most):])
}
