package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestEachCommandIsAnswered(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{})
	for _, address := range []string{s.socket, s.tcp} {
		w := dial(t, address)
		for _, c := range [][2]string{
			{"PING", `^\+PONG$`},
			{"PING hello", `^hello$`},
			{"PING a b", `^-WRONG wrong number`},
			{"ECHO hello", `^hello$`},
			{"*2\r\n$4\r\nLPOP\r\n$3\r\nids", `^\d{5,19}$`},
			{"lpop ids", `^\d{5,19}$`},
			{"LPOP ids 3", `^\d+ \d+ \d+$`},
			{"LPOP ids 0", `^$`},
			{"LPOP ids -1", `^-WRONG a count`},
			{"LPOP ids 10001", `^-WRONG a count`},
			{"LPOP ids 99999999999999999999", `^-WRONG a count`},
			{"LPOP ids 1 2", `^-WRONG wrong number`},
			{"LPOP users", `^-WRONG there is no such list`},
			{"LPOP", `^-WRONG wrong number`},
			{"BLPOP ids 1", `^ids \d+$`},
			{"BLPOP ids 0", `^ids \d+$`},
			{"BLPOP users 1", `^-WRONG there is no such list`},
			{"BLPOP ids users 1", `^-WRONG wrong number`},
			{"BLPOP ids NaN", `^-WRONG a time-out`},
			{"BLPOP ids -1", `^-WRONG a time-out`},
			{"COMMAND DOCS", `^$`},
			{"SELECT 0", `^\+OK$`},
			{"SELECT 1", `^-ERR there is database 0`},
			{"CLIENT SETNAME php", `^\+OK$`},
			{"client setinfo lib-name x", `^\+OK$`},
			{"CLIENT KILL 1", `^-ERR there are CLIENT SETNAME`},
			{"INFO", `(?s)redis_version:7.*loading:0.*worker_id:7\r`},
			{"GET ids", `^-WRONG unknown command 'GET'`},
			{"HELLO", `^server redis .*proto :2 `},
			{"HELLO 4", `^-NOPROTO `},
			{"HELLO 3 SETNAME", `^-ERR syntax`},
			{"HELLO 3 SETNAME php", `^server redis .*proto :3 `},
			{"*0\r\nLPOP ids", `^\d+$`},
			{"QUIT", `^\+OK$`},
		} {
			assert.Regexp(t, c[1], w.ask("%s", c[0]), c[0])
		}
		w.end()
	}
}

// A fake is a connection that has some bytes to read.
type fake struct {
	net.Conn
	in     io.Reader
	out    bytes.Buffer
	writes int

	deadlines, writeDeadlines int
}

func (f *fake) Read(p []byte) (int, error)         { return f.in.Read(p) }
func (f *fake) Close() error                       { return nil }
func (f *fake) RemoteAddr() net.Addr               { return &net.UnixAddr{} }
func (f *fake) SetDeadline(t time.Time) error      { f.deadlines++; return nil }
func (f *fake) SetReadDeadline(t time.Time) error  { return nil }
func (f *fake) SetWriteDeadline(t time.Time) error { f.writeDeadlines++; return nil }
func (f *fake) Write(p []byte) (int, error) {
	f.writes++
	return f.out.Write(p)
}

// serve lets a server answer these bytes.
func (s *server) serveFake(in string) *fake {
	f := &fake{in: strings.NewReader(in)}
	s.serve(f)
	return f
}

func TestAPipelineIsAnsweredWithOneWrite(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{})
	f := s.serveFake(strings.Repeat("LPOP ids\r\n", 100) + "LPO")
	assert.Equal(t, 1, f.writes)
	assert.Zero(t, f.writeDeadlines)
	assert.Equal(t, 100, strings.Count(f.out.String(), "$"))
	// What is kept for a client who does not read is bounded.
	f = s.serveFake(strings.Repeat("LPOP ids 10000\r\n", 100))
	assert.Equal(t, 100, f.writes)
	assert.Equal(t, 100, f.writeDeadlines, "nor is it kept for long")
}

func TestWhoHasNotLoggedInGetsNoMoreTime(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{Password: "x", Idle: 1})
	f := &fake{in: iotest.OneByteReader(strings.NewReader("PING\r\nPING\r\n"))}
	s.serve(f)
	assert.Equal(t, 2, f.writes)
	assert.Equal(t, 1, f.deadlines)
}

func TestAnIDThatCannotBeHadIsAnErrorAndNilIsTheEndOfAWait(t *testing.T) {
	gen, _ := exhausted(t)
	s := start(t, gen, Config{})
	w := dial(t, s.tcp)
	w.send("LPOP ids\r\nLPOP ids 5\r\nPING")
	first := w.answer()
	assert.Regexp(t, "^-NOID uid: the ring is empty", first)
	assert.EqualValues(t, 1, s.gen.Stats().Rejected, "a take that failed counts once")
	assert.Equal(t, first, w.answer(), "it did not wait again")
	assert.Equal(t, "+PONG", w.answer())
	assert.Equal(t, first, dial(t, s.tcp).ask("LPOP ids 5"))
	assert.Equal(t, "nil", w.ask("BLPOP ids 0.01"))
	assert.Regexp(t, "proto", w.ask("HELLO 3"))
	assert.Equal(t, "_", w.ask("BLPOP ids 1.2"))
	w.send("PING\r\nBLPOP ids 0")
	assert.Equal(t, "+PONG", w.answer(), "an answer does not wait for another command's id")
	require.NoError(t, s.stop())
	assert.Regexp(t, "^-NOID ", w.answer(), "the server ends")
}

func TestABatchIsWhatThereIs(t *testing.T) {
	gen, tick := exhausted(t)
	s := start(t, gen, Config{})
	w := dial(t, s.tcp)
	assert.Regexp(t, "^-NOID ", w.ask("LPOP ids 10000"))
	taken := gen.Stats().Taken
	tick()
	ids := strings.Fields(w.ask("LPOP ids 10000"))
	assert.NotEqual(t, "-NOID", ids[0], "an error does not outlast its cause")
	assert.EqualValues(t, gen.Stats().Taken-taken, len(ids), "none is lost")
	assert.Less(t, len(ids), 10_000)
	assert.Regexp(t, "^-NOID ", w.ask("LPOP ids"))
}

func TestWhoLeavesWhileItWaitsGivesItsPlaceToOthers(t *testing.T) {
	gen, tick := exhausted(t)
	s := start(t, gen, Config{Clients: 1})
	for _, address := range []string{s.tcp, s.socket} {
		w := dial(t, address)
		w.send("PING\r\nBLPOP ids 0\r\nLPOP ids")
		assert.Equal(t, "+PONG", w.answer(), "an answer does not wait for another command's id")
		require.NoError(t, w.Close())
	}
	for _, address := range []string{s.tcp, s.socket} {
		w := dial(t, address)
		require.NoError(t, w.SetReadDeadline(time.Now().Add(time.Minute)))
		w.send("PING\r\nBLPOP ids 0\r\nECHO a")
		assert.Equal(t, "+PONG", w.answer())
		w.send("ECHO b")
		tick()
		assert.Regexp(t, `^ids \d+$`, w.answer())
		assert.Equal(t, "a", w.answer(), "what it sent before the wait, and during it, is kept")
		assert.Equal(t, "b", w.answer())
		assert.Equal(t, "c", w.ask("ECHO c"))
		for gen.Ready() == nil {
			_, err := gen.GetUID()
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
	}
}

func TestWhatIsNoRequestEndsTheConnection(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{})
	for _, in := range []string{
		"*1\r\n$9223372036854775807\r\n", "*1\r\n$-1\r\n", "*1\r\n$4\r\nPINGxx\r\n", "*1\r\nPING\r\n",
		"*65\r\n", "*-1\r\n", "*\r\n", "*1000000000\r\n", "*1\r\n$2049\r\n",
		"*2\r\n$4\r\nLPOP\r\n$2000\r\n" + strings.Repeat("x", 3000), strings.Repeat("x", 3000),
		strings.Repeat("x ", 65) + "\r\n",
	} {
		f := s.serveFake(in + "PING\r\n")
		assert.Equal(t, "-ERR "+errProtocol.Error()+"\r\n", f.out.String(), "%.40q", in)
	}
	assert.Empty(t, s.serveFake("*1\r\n$4\r\nPI").out.String())
	assert.Regexp(t, "^-WRONG unknown command 'POST'[^\n]*\n$",
		s.serveFake("POST / HTTP/1.1\r\nHost: x\r\n\r\nLPOP ids\r\n").out.String())
	assert.Equal(t, "-WRONG unknown command 'A B': type LPOP ids\r\n",
		s.serveFake("*1\r\n$4\r\na\r\nb\r\n").out.String(), "an error is one line")
}

func FuzzRESP(f *testing.F) {
	s := start(f, generator(f, uid.Config{}), Config{})
	for _, seed := range []string{"*2\r\n$4\r\nLPOP\r\n$3\r\nids\r\n", "LPOP ids 3\r\nBLPOP ids 1\r\n",
		"HELLO 3 AUTH default x SETNAME y\r\nCOMMAND\r\n", "*1\r\n$9223372036854775807\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		c := s.serveFake(in)
		for r := bufio.NewReader(&c.out); ; {
			_, err := readAnswer(r)
			if err == io.EOF {
				return
			}
			require.NoError(t, err)
		}
	})
}

func TestAThousandClientsGetNoIDTwice(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{Clients: 500})
	var all sync.Map
	var clients sync.WaitGroup
	var last *wire
	for i := range 1000 {
		w := dial(t, []string{s.socket, s.tcp}[i%2])
		w.send("PING")
		require.Equal(t, "+PONG", w.answer())
		last = w
		clients.Go(func() {
			w.send("LPOP ids 10\r\nLPOP ids")
			last := ""
			for range 2 {
				text, err := readAnswer(w.Reader)
				if !assert.NoError(t, err) {
					return
				}
				for id := range strings.FieldsSeq(text) {
					_, twice := all.LoadOrStore(id, nil)
					assert.False(t, twice, id)
					assert.Greater(t, id, last, "of one length, so that the texts increase, too")
					last = id
				}
			}
		})
	}
	clients.Wait()
	n := 0
	all.Range(func(_, _ any) bool { n++; return true })
	assert.Equal(t, 11_000, n)
	late := dial(t, s.tcp)
	late.send("PING")
	require.NoError(t, late.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	_, err := readAnswer(late.Reader)
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded, "it waits until somebody leaves")
	require.NoError(t, last.Close())
	require.NoError(t, late.SetReadDeadline(time.Time{}))
	assert.Equal(t, "+PONG", late.answer())
}

func TestASilentClientIsDisconnectedAndASlowOneHoldsNobodyUp(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{Idle: 300 * time.Millisecond})
	slow := dial(t, s.socket) // which asks for much, and reads nothing
	go func() { _, _ = io.WriteString(slow.Conn, strings.Repeat("LPOP ids 10000\r\n", 1000)) }()
	half := dial(t, s.tcp)
	_, err := io.WriteString(half.Conn, "*2\r\n$4\r\nLP")
	require.NoError(t, err)
	dial(t, s.tcp).end()
	half.end()
	assert.Equal(t, "+PONG", dial(t, s.tcp).ask("PING"))
}

func TestAServerThatEndsAnswersWhatItHasRead(t *testing.T) {
	gen := generator(t, uid.Config{})
	s := start(t, gen, Config{})
	w := dial(t, s.socket)
	assert.Equal(t, "+PONG", w.ask("PING"))
	go s.stop()
	for {
		_, err := fmt.Fprint(w.Conn, "LPOP ids\r\n")
		if err != nil {
			break
		}
		if text, err := readAnswer(w.Reader); err == nil {
			assert.NotContains(t, text, "-")
		} else {
			break
		}
	}
	require.NoError(t, s.stop())
	_, err := gen.GetUID()
	assert.ErrorIs(t, err, uid.ErrClosed, "the worker id is given back")
	_, err = os.Stat(strings.TrimPrefix(s.socket, "unix:"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestAServerThatEndsTakesBatchesAsItTakesIDs(t *testing.T) {
	s := start(t, generator(t, uid.Config{}), Config{})
	s.Server.stop()
	f := s.serveFake("LPOP ids\r\nLPOP ids 100\r\n")
	assert.Regexp(t, `^\$\d+\r\n\d+\r\n\*100\r\n`, f.out.String())
	code, text, _ := s.get(t, "/ids?n=100", "")
	assert.Equal(t, 200, code, text)
}

func TestAServerWhoseGeneratorEndsFails(t *testing.T) {
	gen := generator(t, uid.Config{})
	s, err := Listen(Config{RESP: []string{"127.0.0.1:0"}, Logger: quiet})
	require.NoError(t, err)
	require.NoError(t, gen.Close())
	assert.ErrorIs(t, s.Serve(t.Context(), gen), uid.ErrClosed)
}

// The slower of two does not remove the socket of the faster one.
func TestServersThatStartAtOnceOverADeadOne(t *testing.T) {
	path := t.TempDir() + "/s"
	for range 200 {
		dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		require.NoError(t, err)
		dead.SetUnlinkOnClose(false)
		require.NoError(t, dead.Close())
		started := make(chan *Server)
		for range 2 {
			go func() {
				s, err := Listen(Config{RESP: []string{"unix:" + path}, SocketMode: 0o600})
				assert.Equal(t, s == nil, err != nil)
				started <- s
			}()
		}
		one, two := <-started, <-started
		require.True(t, (one == nil) != (two == nil), "one of them listens")
		cmp.Or(one, two).Close()
	}
}

func TestASocketIsTakenOverFromADeadServerAlone(t *testing.T) {
	path := t.TempDir() + "/s"
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	dead.SetUnlinkOnClose(false)
	require.NoError(t, dead.Close())
	s, err := Listen(Config{RESP: []string{"unix:" + path}, SocketMode: 0o660})
	require.NoError(t, err)
	at, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o660), at.Mode().Perm())
	_, err = Listen(Config{RESP: []string{"unix:" + path}})
	assert.ErrorContains(t, err, "another server listens on "+path)
	s.Close()
	other, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path})
	require.NoError(t, err)
	_, err = Listen(Config{RESP: []string{"unix:" + path}})
	assert.ErrorIs(t, err, syscall.EPROTOTYPE)
	assert.NotContains(t, err.Error(), "another server listens on")
	require.NoError(t, other.Close())
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err = Listen(Config{RESP: []string{"unix:" + path}})
	assert.Error(t, err, "a file that is no socket stays")
	assert.False(t, errors.Is(err, os.ErrNotExist))
}
