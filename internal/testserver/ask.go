package testserver

import (
	"crypto/tls"
	"fmt"
	"net"
	"regexp"
	"time"
)

// question is one whose answer shows what state a server is in.
type question struct {
	text   string // sent first, if any
	answer string // a regular expression for the answer of a server that serves
	tls    bool   // with a self-signed certificate, and slow: it has much to do as it starts
}

// ask returns the parts of the answer.
func ask(addr string, q question) (parts []string, err error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	limit := time.Second
	if q.tls {
		c, limit = tls.Client(c, &tls.Config{InsecureSkipVerify: true}), patience/2
	}
	if err := c.SetDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	if _, err := c.Write([]byte(q.text)); err != nil {
		return nil, err
	}
	answer := regexp.MustCompile(q.answer)
	for said, part := "", make([]byte, 4096); ; {
		n, err := c.Read(part)
		said += string(part[:n])
		if parts := answer.FindStringSubmatch(said); parts != nil {
			return parts[1:], nil
		}
		if err != nil {
			return nil, fmt.Errorf("it answers %q: %w", said, err)
		}
	}
}

// request returns a question over HTTP, whose answer must be that all is well.
func request(method, page, body string) question {
	return question{
		text: fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"+
			"Content-Length: %d\r\n\r\n%s", method, page, len(body), body),
		answer: "^HTTP/1.1 200 ",
	}
}
