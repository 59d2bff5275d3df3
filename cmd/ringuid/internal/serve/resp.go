package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
)

// RESP is read here and not by tidwall/redcon, which panics on a word of 2^63-1 bytes, bounds
// neither a line nor the words of a command, and keeps 12 kB for each idle connection.

const (
	maxCommand = 2048     // bytes, which each connection has a buffer for
	maxWords   = 64       // of a command
	maxAnswers = 64 << 10 // bytes that are kept until they are written

	idleAnswers = 4 << 10 // bytes that a client keeps who sends nothing
)

// errProtocol is what a client is told before it is disconnected.
var errProtocol = errors.New("protocol error: too long, or no command")

// parse reads the command that text begins with, and its size in bytes, which is 0 if some of it
// is missing. Its words are parts of text.
func parse(words [][]byte, text []byte) (_ [][]byte, size int, err error) {
	line, size := firstLine(text)
	if size == 0 {
		return nil, 0, nil
	}
	if len(line) == 0 || line[0] != '*' { // as people type it
		if words = bytes.Fields(line); len(words) > maxWords {
			return nil, 0, errProtocol
		}
		return words, size, nil
	}
	n, err := number(line[1:], maxWords)
	if err != nil {
		return nil, 0, err
	}
	for range n {
		line, header := firstLine(text[size:])
		if header == 0 {
			return nil, 0, nil
		}
		if len(line) == 0 || line[0] != '$' {
			return nil, 0, errProtocol
		}
		length, err := number(line[1:], maxCommand)
		start := size + header
		size = start + length + len("\r\n")
		switch {
		case err != nil:
			return nil, 0, err
		case size > len(text):
			return nil, 0, nil
		case string(text[start+length:size]) != "\r\n":
			return nil, 0, errProtocol
		}
		words = append(words, text[start:start+length])
	}
	return words, size, nil
}

// firstLine returns a line without its end, and how long it is with it, which is 0 if there is no
// end.
func firstLine(text []byte) (line []byte, size int) {
	end := bytes.IndexByte(text, '\n')
	return bytes.TrimSuffix(text[:max(end, 0)], []byte("\r")), end + 1
}

// number reads one of 0 to most.
func number(text []byte, most int) (int, error) {
	n, err := strconv.ParseUint(string(text), 10, 32)
	if err != nil || n > uint64(most) {
		return 0, errProtocol
	}
	return int(n), nil
}

// A client is a connection that speaks RESP. One goroutine uses it.
type client struct {
	*Server
	net.Conn
	in       *bufio.Reader
	words    [][]byte // of the command, valid until the next one is read
	ids      []uid.ID
	out      []byte // answers that were not written yet
	done     int    // commands answered since the last write
	lastErr  error  // why the last take failed: those that follow at once do not wait, too
	failed   time.Time
	loggedIn bool
	resp3    bool
	quit     bool
	deadline time.Time
}

func (s *Server) serve(conn net.Conn) {
	s.clients.Inc()
	c := &client{Server: s, Conn: conn, loggedIn: s.Password == ""}
	c.in = bufio.NewReaderSize(conn, maxCommand)
	stop := context.AfterFunc(s.ctx, func() { _ = conn.SetReadDeadline(time.Now()) })
	defer func() {
		stop()
		_ = c.flush()
		_ = conn.Close()
		s.clients.Dec()
	}()
	if t, ok := conn.(*tls.Conn); ok {
		ctx, cancel := context.WithTimeout(s.ctx, loginTime)
		defer cancel()
		if t.HandshakeContext(ctx) != nil {
			return
		}
	}
	for !c.quit {
		if err := c.read(); err != nil {
			if errors.Is(err, errProtocol) || errors.Is(err, bufio.ErrBufferFull) {
				c.fail("ERR", errProtocol.Error())
			}
			return
		}
		if len(c.words) > 0 {
			c.done++
			c.answer(c.words[0], c.words[1:])
		}
		if len(c.out) > maxAnswers && c.flush() != nil {
			return
		}
	}
}

// read reads a command. Before it waits for one it writes the answers, so a pipeline is answered
// by one write.
func (c *client) read() error {
	for {
		text, _ := c.in.Peek(c.in.Buffered())
		words, size, err := parse(c.words[:0], text)
		if err != nil {
			return err
		}
		if size > 0 {
			c.words = words
			_, err = c.in.Discard(size)
			return err
		}
		if err := c.flush(); err != nil {
			return err
		}
		if _, err := c.in.Peek(len(text) + 1); err != nil {
			return err
		}
	}
}

// flush writes the answers, and gives the client time for its next command.
func (c *client) flush() error {
	now := time.Now()
	by := now.Add(c.Idle)
	switch {
	case !c.loggedIn && c.deadline.IsZero():
		by = now.Add(loginTime)
	case !c.loggedIn: // it has that time, whatever it sends
		by = c.deadline
	}
	// Moving a deadline costs as much as some ids: it is moved by a sixteenth or more.
	if by.Sub(c.deadline).Abs() > c.Idle/16 {
		c.deadline = by
		_ = c.SetDeadline(by)
	}
	if c.loggedIn && len(c.out) > idleAnswers { // who does not read holds little for long
		_ = c.SetWriteDeadline(now.Add(loginTime))
		c.deadline = time.Time{}
	}
	if c.ctx.Err() != nil {
		_ = c.SetReadDeadline(time.Now())
	}
	if len(c.out) == 0 {
		return nil
	}
	c.requests[overRESP].Add(float64(c.done))
	c.done = 0
	_, err := c.Write(c.out)
	if c.out = c.out[:0]; cap(c.out) > idleAnswers || cap(c.ids) > idleAnswers/8 {
		c.out, c.ids = nil, nil
	}
	return err
}

// commands have the least and the most of their arguments.
var commands = map[string]struct {
	least, most int
	answer      func(*client, [][]byte)
}{
	"LPOP":    {1, 2, (*client).pop},
	"BLPOP":   {2, 2, (*client).waitAndPop},
	"AUTH":    {1, 2, (*client).auth},
	"HELLO":   {0, maxWords, (*client).hello},
	"INFO":    {0, maxWords, (*client).info},
	"ECHO":    {1, 1, func(c *client, args [][]byte) { c.bulk(args[0]) }},
	"COMMAND": {0, maxWords, func(c *client, _ [][]byte) { c.raw("*0") }},
	"QUIT": {0, 0, func(c *client, _ [][]byte) {
		c.quit = true
		c.raw("+OK")
	}},
	"PING": {0, 1, func(c *client, args [][]byte) {
		if len(args) == 0 {
			c.raw("+PONG")
		} else {
			c.bulk(args[0])
		}
	}},
	"SELECT": {1, 1, func(c *client, args [][]byte) {
		c.ok(string(args[0]) == "0", "there is database 0 alone")
	}},
	"CLIENT": {2, 3, func(c *client, args [][]byte) {
		name := string(upper(args[0]))
		c.ok(name == "SETNAME" || name == "SETINFO", "there are CLIENT SETNAME and SETINFO")
	}},
}

// An error begins with noID if trying again may help, and with wrong if the command is wrong.
// Phpredis returns false for one that begins with ERR, and false would become 0 in a row. For
// others it throws an exception.
const noID, wrong = "NOID", "WRONG"

func (c *client) answer(name []byte, args [][]byte) {
	command, known := commands[string(upper(name))]
	switch {
	case !c.loggedIn && string(name) != "AUTH" && string(name) != "HELLO" && string(name) != "QUIT":
		c.fail("NOAUTH", "Authentication required.")
	case !known:
		c.quit = string(name) == "POST" || string(name) == "HOST:" // a page in a browser sends them
		c.fail(wrong, fmt.Sprintf("unknown command '%.40s': type LPOP ids", name))
	case len(args) < command.least || len(args) > command.most:
		c.fail(wrong, fmt.Sprintf("wrong number of arguments for '%s'", name))
	default:
		command.answer(c, args)
	}
}

// upper puts ASCII in capitals, where it stands.
func upper(text []byte) []byte {
	for i, b := range text {
		if 'a' <= b && b <= 'z' {
			text[i] = b - 'a' + 'A'
		}
	}
	return text
}

const noSuchList = "there is no such list: ids are in the list ids"

// pop answers LPOP ids [COUNT].
func (c *client) pop(args [][]byte) {
	n, err := 1, error(nil)
	if len(args) > 1 {
		n, err = number(args[1], maxBatch)
	}
	switch {
	case string(args[0]) != "ids":
		c.fail(wrong, noSuchList)
		return
	case err != nil:
		c.fail(wrong, fmt.Sprintf("a count is a number of 0 to %d", maxBatch))
		return
	case c.lastErr != nil && time.Since(c.failed) < takeTime && c.gen.Ready() != nil:
		err = c.lastErr
	}
	c.ids = c.ids[:0]
	if err == nil && n > 0 {
		c.ids, err = c.take(c.ids, n)
		if c.lastErr = err; err != nil {
			c.failed = time.Now()
		}
	}
	if err != nil {
		c.fail(noID, err.Error())
		return
	}
	if len(args) > 1 {
		c.header('*', len(c.ids))
	}
	for _, id := range c.ids {
		c.id(id)
	}
}

// waitAndPop answers BLPOP ids SECONDS, where 0 waits for ever.
func (c *client) waitAndPop(args [][]byte) {
	seconds, err := strconv.ParseFloat(string(args[1]), 64)
	switch {
	case string(args[0]) != "ids":
		c.fail(wrong, noSuchList)
		return
	case err != nil || !(seconds >= 0 && seconds <= math.MaxInt32):
		c.fail(wrong, "a time-out is a number of seconds")
		return
	}
	most := cmp.Or(time.Duration(math.Ceil(seconds*float64(time.Second))), math.MaxInt64)
	var watching sync.WaitGroup
	ctx := &patience{Context: c.ctx, most: most, began: func(end context.CancelFunc) {
		_ = c.flush() // earlier answers do not wait
		_ = c.SetReadDeadline(time.Time{})
		watching.Go(func() { c.watch(end) })
	}}
	id, err := c.gen.GetUIDContext(ctx)
	if ctx.cancel != nil {
		ctx.end()
		_ = c.SetReadDeadline(time.Now())
		watching.Wait()
		c.deadline = time.Time{} // flush sets it again
	}
	switch {
	case err == nil:
		c.header('*', 2)
		c.bulk([]byte("ids"))
		c.id(id)
	case ctx.Err() == nil || c.ctx.Err() != nil:
		c.fail(noID, err.Error())
	case c.resp3:
		c.raw("_")
	default:
		c.raw("*-1")
	}
}

// watch ends a wait when the client leaves, until a deadline. It keeps what the client sends
// meanwhile: with more of that than the buffer holds, nothing is noticed any more.
func (c *client) watch(end context.CancelFunc) {
	var err error
	for err == nil {
		_, err = c.in.Peek(c.in.Buffered() + 1)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, bufio.ErrBufferFull) {
		c.quit = true
		end()
	}
}

// auth answers AUTH [USER] PASSWORD.
func (c *client) auth(args [][]byte) {
	if c.logIn(args[len(args)-1]) {
		c.raw("+OK")
	}
}

// logIn checks a password, and answers if it is wrong. Who was logged in stays so.
func (c *client) logIn(password []byte) bool {
	right := c.Password == "" || c.isPassword(password, c.RemoteAddr().String())
	if c.loggedIn = c.loggedIn || right; !right {
		c.fail("WRONGPASS", "invalid username-password pair or user is disabled.")
	}
	return right
}

// hello answers HELLO [2|3 [AUTH USER PASSWORD] [SETNAME NAME]].
func (c *client) hello(args [][]byte) {
	version := 2
	if c.resp3 {
		version = 3
	}
	if len(args) > 0 {
		n, err := number(args[0], 3)
		if err != nil || n < 2 {
			c.fail("NOPROTO", "unsupported protocol version")
			return
		}
		version, args = n, args[1:]
	}
	for len(args) > 0 {
		switch option := string(upper(args[0])); {
		case option == "AUTH" && len(args) > 2:
			if !c.logIn(args[2]) {
				return
			}
			args = args[3:]
		case option == "SETNAME" && len(args) > 1:
			args = args[2:]
		default:
			c.fail("ERR", "syntax error in HELLO")
			return
		}
	}
	if !c.loggedIn {
		c.fail("NOAUTH", "HELLO must be called with AUTH, since a password is set")
		return
	}
	if c.resp3 = version == 3; c.resp3 {
		c.header('%', 7)
	} else {
		c.header('*', 14)
	}
	for _, text := range strings.Fields("server redis version " + redisVersion +
		" mode standalone role master proto") {
		c.bulk([]byte(text))
	}
	c.header(':', version)
	c.bulk([]byte("id"))
	c.header(':', 1)
	c.bulk([]byte("modules"))
	c.header('*', 0)
}

// redisVersion is the version whose commands these are, for clients that ask.
const redisVersion = "7.0.0"

func (c *client) info([][]byte) {
	stats := c.gen.Stats()
	c.bulk(fmt.Appendf(nil, "redis_version:%s\r\nserver_name:ringuid\r\nloading:0\r\nids:%d\r\n"+
		"worker_id:%d\r\nclass:%v\r\nlayout:%v\r\n", redisVersion, stats.Taken, stats.WorkerID,
		stats.Class, c.gen.Layout()))
}

// The answers are those of RESP2, but for what RESP3 writes otherwise.

func (c *client) raw(text string) { c.out = append(append(c.out, text...), "\r\n"...) }

func (c *client) header(kind byte, n int) {
	c.out = append(strconv.AppendInt(append(c.out, kind), int64(n), 10), "\r\n"...)
}

func (c *client) bulk(text []byte) {
	c.header('$', len(text))
	c.out = append(append(c.out, text...), "\r\n"...)
}

func (c *client) id(id uid.ID) {
	var digits [20]byte
	c.bulk(strconv.AppendInt(digits[:0], int64(id), 10))
}

func (c *client) ok(ok bool, otherwise string) {
	if ok {
		c.raw("+OK")
	} else {
		c.fail("ERR", otherwise)
	}
}

// fail answers with an error, in one line.
func (c *client) fail(kind, text string) {
	c.errors[overRESP].Inc()
	c.raw("-" + kind + " " + strings.Join(strings.Fields(storeurl.Redact(text)), " "))
}
