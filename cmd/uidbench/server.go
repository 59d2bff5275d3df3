package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/uid"
)

// A server is the generator of a `ringuid serve`.
type server struct {
	layout uid.Layout
	take   takes
	close  context.CancelFunc
}

const serverForms = "unix:PATH, redis://:PASSWORD@HOST:PORT or http://:PASSWORD@HOST:PORT, where " +
	":PASSWORD@ may be left out"

type takes func(ids []uid.ID, n int) ([]uid.ID, error)

// connect takes an id, so that a wrong address is no result of a run.
func connect(ctx context.Context, address string, layout uid.Layout) (*server, error) {
	u, err := url.Parse(address)
	if err != nil {
		u = new(url.URL)
	}
	password, _ := u.User.Password()
	u.User = nil
	ctx, cancel := context.WithCancel(ctx)
	s := &server{layout: layout, close: cancel}
	switch path := u.Opaque + u.Path; {
	case u.Scheme == "unix" && path != "":
		s.take = overRESP(ctx, "unix", path, "")
	case u.Scheme == "redis" && u.Port() != "":
		s.take = overRESP(ctx, "tcp", u.Host, password)
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		s.take = overHTTP(ctx, u, password)
	default:
		cancel()
		return nil, cli.Usagef("--server: type %s", serverForms)
	}
	if _, err = s.take(nil, 1); err != nil {
		cancel()
		return nil, fmt.Errorf("--server %s: %w; type redis://:PASSWORD@HOST:PORT where the server "+
			"prints RESP (not with TLS), http:// or https:// where it prints HTTP", u, err)
	}
	return s, nil
}

func (s *server) GetUIDContext(context.Context) (uid.ID, error) {
	var one [1]uid.ID
	ids, err := s.take(one[:0], 1)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

func (s *server) AppendUIDs(ids []uid.ID, n int) ([]uid.ID, error) { return s.take(ids, n) }

func (s *server) Layout() uid.Layout { return s.layout }

func (s *server) Kind() string { return "remote" }

// Stats knows nothing: they are the server's.
func (s *server) Stats() uid.Stats { return uid.Stats{WorkerID: -1} }

func (s *server) Close() error {
	s.close()
	return nil
}

// overRESP takes from connections that last until ctx ends, each for one take at a time.
func overRESP(ctx context.Context, network, address, password string) takes {
	idle := make(chan *textproto.Conn, 10_000) // a server has no more clients
	return func(ids []uid.ID, n int) ([]uid.ID, error) {
		var c *textproto.Conn
		select {
		case c = <-idle:
		default:
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return ids, err
			}
			context.AfterFunc(ctx, func() { conn.Close() })
			c = textproto.NewConn(prompt{conn})
			if password != "" {
				_ = c.PrintfLine("*2\r\n$4\r\nAUTH\r\n$%d\r\n%s", len(password), password)
				if _, err := answer(c, '+'); err != nil {
					c.Close()
					return ids, err
				}
			}
		}
		ids, err := pop(c, ids, n)
		if err != nil {
			c.Close()
			return ids, err
		}
		idle <- c
		return ids, nil
	}
}

// pop takes n ids from a connection, which is of no use after an error.
func pop(c *textproto.Conn, ids []uid.ID, n int) ([]uid.ID, error) {
	_ = c.PrintfLine("LPOP ids %d", n) // the answer has its error
	line, err := answer(c, '*')
	_, err2 := fmt.Sscanf(line, "*%d", &n)
	if err := cmp.Or(err, err2); err != nil {
		return ids, err
	}
	for range n {
		_, err := answer(c, '$')
		text, err2 := c.ReadLine()
		id, err3 := uid.ParseID(text)
		if err := cmp.Or(err, err2, err3); err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// answerIn is how long an answer may take: a server that is stopped must not keep a run from its
// end.
const answerIn = 10 * time.Second

type prompt struct{ net.Conn }

func (p prompt) Read(b []byte) (int, error) {
	_ = p.SetReadDeadline(time.Now().Add(answerIn))
	return p.Conn.Read(b)
}

// answer reads the first line of an answer of this kind.
func answer(c *textproto.Conn, kind byte) (string, error) {
	line, err := c.ReadLine()
	if err == nil && (!strings.HasPrefix(line, string(kind)) || strings.HasPrefix(line[1:], "-")) {
		err = fmt.Errorf("the server answered %s", line) // -1: Redis has no list of ids
	}
	return line, err
}

func overHTTP(ctx context.Context, u *url.URL, password string) takes {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10_000}, Timeout: answerIn}
	context.AfterFunc(ctx, client.CloseIdleConnections)
	return func(ids []uid.ID, n int) ([]uid.ID, error) {
		address := fmt.Sprintf("%v?n=%d", u.JoinPath("ids"), n)
		r, err := http.NewRequestWithContext(ctx, "GET", address, nil)
		if err != nil {
			return ids, err
		}
		if password != "" {
			r.Header.Set("Authorization", "Bearer "+password)
		}
		answer, err := client.Do(r)
		if err != nil {
			return ids, err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return ids, fmt.Errorf("the server answered %s", answer.Status)
		}
		body, err := io.ReadAll(answer.Body) // to its end, else the connection is not used again
		if err != nil {
			return ids, err
		}
		var got []uid.ID
		err = json.Unmarshal(body, &got)
		return append(ids, got...), err
	}
}
