// Package serve hands out the ids of a generator to programs of any language: over RESP, the
// protocol of Redis, where they are a list named ids, and over HTTP.
package serve

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/netutil"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/flock"
	"github.com/ringuid/ringuid/uid"
)

const (
	maxBatch     = 10_000           // ids for one request
	takeTime     = time.Second      // that a take waits for its id, which is less than clients do
	loginTime    = 10 * time.Second // to log in, to send a request of HTTP, and to read a long answer
	refusalTime  = time.Second      // until a refused login is answered
	shutdownTime = 2 * time.Second  // for the answers that are under way
)

type Config struct {
	// RESP and HTTP are addresses to listen on: HOST:PORT, or unix:PATH. Without any, these are
	// the sockets that systemd passed, or else a unix socket and a loopback address for RESP.
	RESP, HTTP []string

	SocketMode fs.FileMode   // of unix sockets
	Password   string        // that clients must know; empty: none
	TLS        *tls.Config   // of TCP connections; nil: none
	Open       bool          // everybody may take ids who reaches an address
	Clients    int           // connections to an address at once, others wait; 0: 10,000
	Idle       time.Duration // after which a silent client is disconnected; 0: an hour, HTTP: a minute
	Logger     *slog.Logger
}

// Server hands out the ids of one generator.
type Server struct {
	Config
	resp, http []net.Listener
	gen        *uid.CachedGenerator
	ctx        context.Context // ends when the server begins to close
	stop       context.CancelFunc
	serving    sync.WaitGroup // clients of RESP, and what accepts them
	logged     atomic.Int64   // when a refused login was, in seconds

	metrics          *prometheus.Registry
	clients          prometheus.Gauge
	requests, errors [2]prometheus.Counter // over RESP and HTTP
	refusedLogins    prometheus.Counter
}

const overRESP, overHTTP = 0, 1

// Listen opens the sockets. Clients that connect wait for Serve.
func Listen(c Config) (_ *Server, err error) {
	c.Clients, c.Idle = cmp.Or(c.Clients, 10_000), cmp.Or(c.Idle, time.Hour)
	s := &Server{Config: c}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.count()
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if len(c.RESP)+len(c.HTTP) == 0 {
		passed, err := activation.ListenersWithNames()
		if err != nil {
			return nil, fmt.Errorf("the sockets of systemd: %w", err)
		}
		s.http = passed["http"]
		delete(passed, "http")
		for _, listeners := range passed {
			s.resp = append(s.resp, listeners...)
		}
	}
	if len(c.RESP)+len(c.HTTP)+len(s.resp)+len(s.http) == 0 {
		folder := cmp.Or(os.Getenv("RUNTIME_DIRECTORY"), os.Getenv("XDG_RUNTIME_DIR"), os.TempDir())
		c.RESP = []string{"unix:" + folder + "/ringuid.sock", "127.0.0.1:7379"}
	}
	err = errors.Join(listen(&s.resp, c.RESP, c.SocketMode), listen(&s.http, c.HTTP, c.SocketMode))
	if err != nil {
		return nil, err
	}
	guarded := c.Open || c.Password != "" || c.TLS != nil && c.TLS.ClientCAs != nil
	for _, listeners := range [][]net.Listener{s.resp, s.http} {
		for i, l := range listeners {
			listeners[i] = netutil.LimitListener(l, c.Clients)
			tcp, network := l.Addr().(*net.TCPAddr)
			if network && !tcp.IP.IsLoopback() && !guarded {
				return nil, cli.Usagef("others reach %v: type --client-password-file, --client-ca, or "+
					"--open if all of them may take ids", tcp)
			}
			if network && c.TLS != nil {
				listeners[i] = tls.NewListener(listeners[i], c.TLS)
			}
		}
	}
	return s, nil
}

// private listens on a unix socket that nobody else can connect to before it has its mode: Linux
// makes the file with the mode of the socket that is bound. The umask would do that on all systems,
// but also to the files that other goroutines make meanwhile.
var private = net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = os.Chmod(fmt.Sprint("/proc/self/fd/", fd), 0o600) })
}}

func listen(listeners *[]net.Listener, addresses []string, mode fs.FileMode) error {
	for _, address := range addresses {
		network := "tcp"
		if path, unix := strings.CutPrefix(address, "unix:"); unix {
			network, address = "unix", path
		}
		if address == "" {
			return cli.Usagef("an address is empty: type HOST:PORT or unix:PATH")
		}
		l, err := open(network, address)
		if err != nil {
			err = fmt.Errorf("%w: type HOST:PORT or unix:PATH after --resp and --http, where nobody else "+
				"listens", err)
		}
		var unknown *net.DNSError // a host's or a port's name
		if errors.As(err, new(*net.AddrError)) || errors.As(err, &unknown) && unknown.IsNotFound {
			return cli.AsUsage(err)
		}
		if err != nil {
			return err
		}
		*listeners = append(*listeners, l)
		if network == "unix" {
			if err := os.Chmod(address, mode); err != nil {
				return err
			}
		}
	}
	return nil
}

// open listens. The folder of a unix socket is locked meanwhile: of two servers that start over a
// dead one's socket, the slower would remove the faster one's, and nobody would reach that.
func open(network, address string) (net.Listener, error) {
	if network == "unix" {
		folder, err := os.Open(filepath.Dir(address))
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		for tries := 0; ; tries++ {
			free, err := flock.Lock(folder)
			if free || errors.Is(err, errors.ErrUnsupported) {
				break
			}
			if err == nil && tries == 100 {
				err = fmt.Errorf("another program keeps %s locked", folder.Name())
			}
			if err != nil {
				return nil, err
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err := removeDead(address); err != nil {
			return nil, err
		}
	}
	return private.Listen(context.Background(), network, address)
}

// removeDead removes the socket of a server that was killed, on which nobody answers.
func removeDead(path string) error {
	if at, err := os.Lstat(path); err != nil || at.Mode().Type() != fs.ModeSocket {
		return nil
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	switch {
	case err == nil:
		conn.Close()
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	case !errors.Is(err, syscall.EAGAIN): // of a server that is busy
		return fmt.Errorf("whether another server listens cannot be seen: %w", err)
	}
	return fmt.Errorf("another server listens on %s", path)
}

// Addresses lists what the server listens on, for people.
func (s *Server) Addresses() (all []string) {
	for i, listeners := range [][]net.Listener{s.resp, s.http} {
		for _, l := range listeners {
			scheme := ""
			if l.Addr().Network() == "unix" {
				scheme = "unix:"
			}
			all = append(all, fmt.Sprintf("%s on %s%v", [...]string{"RESP", "HTTP"}[i], scheme, l.Addr()))
		}
	}
	return all
}

// Serve answers clients until ctx ends, or the generator by itself, which is an error. It then
// answers what it has read, and closes the connections and the generator.
func (s *Server) Serve(ctx context.Context, gen *uid.CachedGenerator) (err error) {
	s.gen = gen
	web := s.newHTTP()
	for _, l := range s.http {
		go web.Serve(l)
	}
	for _, l := range s.resp {
		s.serving.Go(func() { s.accept(l) })
	}
	_, _ = daemon.SdNotify(false, daemon.SdNotifyReady) // false without systemd
	select {
	case <-ctx.Done():
	case <-gen.Done():
		err = fmt.Errorf("the generator has ended: %w", gen.Ready())
	}
	_, _ = daemon.SdNotify(false, daemon.SdNotifyStopping)
	s.Close()
	answered := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(answered)
	}()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	_ = web.Shutdown(grace)
	select {
	case <-answered:
	case <-grace.Done(): // of clients that do not read
	}
	return errors.Join(err, gen.Close())
}

func (s *Server) Close() {
	s.stop()
	for _, l := range append(s.resp, s.http...) {
		_ = l.Close()
	}
}

func (s *Server) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // too many open files, which may pass
			s.Logger.Warn("a client cannot connect", "error", err)
			cli.Wait(s.ctx, time.Second)
		default:
			s.serving.Go(func() { s.serve(conn) })
		}
	}
}

// take appends up to n ids, 1 to maxBatch, that increase: as many as come within takeTime, also
// while the server ends. It fails if none does. Before the call ids is empty.
func (s *Server) take(ids []uid.ID, n int) ([]uid.ID, error) {
	ctx := &patience{Context: context.Background(), most: takeTime}
	defer ctx.end()
	if n > 1 {
		ids, err := s.gen.AppendUIDsContext(ctx, ids, n)
		if len(ids) > 0 { // which nobody else can have now
			err = nil
		}
		return ids, err
	}
	id, err := s.gen.GetUIDContext(ctx)
	return append(ids, id), err
}

// patience is a context whose time begins when somebody waits for its end: most takes do not, and
// a timer for each would cost as much as the id. One goroutine uses it.
type patience struct {
	context.Context
	most   time.Duration
	began  func(end context.CancelFunc) // nil: nothing is done when somebody waits
	cancel context.CancelFunc           // nil: nobody has waited
}

func (p *patience) Done() <-chan struct{} {
	if p.cancel == nil {
		p.Context, p.cancel = context.WithTimeout(p.Context, p.most)
		if p.began != nil {
			p.began(p.cancel)
		}
	}
	return p.Context.Done()
}

func (p *patience) end() {
	if p.cancel != nil {
		p.cancel()
	}
}

// isPassword takes as long for each text. A refused one is counted and slowed down. The log has a
// line about them once a minute.
func (s *Server) isPassword(text []byte, from string) bool {
	want, got := sha256.Sum256([]byte(s.Password)), sha256.Sum256(text)
	if subtle.ConstantTimeCompare(want[:], got[:]) == 1 {
		return true
	}
	s.refusedLogins.Inc()
	now, last := time.Now().Unix(), s.logged.Load()
	if now-last >= 60 && s.logged.CompareAndSwap(last, now) {
		s.Logger.Warn("a client has a wrong password", "address", from)
	}
	cli.Wait(s.ctx, refusalTime)
	return false
}
