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

// ask returns an error unless the answer comes.
func ask(addr string, q question) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	limit := time.Second
	if q.tls {
		c, limit = tls.Client(c, &tls.Config{InsecureSkipVerify: true}), patience/2
	}
	if err := c.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := c.Write([]byte(q.text)); err != nil {
		return err
	}
	answer := regexp.MustCompile(q.answer)
	for said, part := "", make([]byte, 4096); ; {
		n, err := c.Read(part)
		said += string(part[:n])
		if answer.MatchString(said) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it answers %q: %w", said, err)
		}
	}
}

// get returns a question over HTTP, with the beginning of the answer.
func get(page, answer string) question {
	return question{text: "GET " + page + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		answer: "^HTTP/1.1 " + answer}
}
