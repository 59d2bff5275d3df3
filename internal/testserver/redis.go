package testserver

import "fmt"

// Redis starts a server without a password.
var Redis = starter(kind{
	name:    "Redis",
	install: "apt-get install redis-server, or brew install redis",
	find:    finder("redis-server"),
	args: func(s *Server) []string {
		return []string{"--port", fmt.Sprint(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
			"--daemonize", "no",
			"--cluster-port", fmt.Sprint(s.peer)} // else the one 10,000 above, which is not claimed
	},
	durable: []string{"--save", "", "--appendonly", "yes", "--appendfsync", "always",
		"--appenddirname", "data"},
	// With any save point at all, the server saves when it is stopped.
	fast:  []string{"--save", "3600 1", "--appendonly", "no"},
	ready: question{text: "PING\r\n", answer: `^(\+PONG|-NOAUTH)`}, // NOAUTH: it serves too
	url:   "redis://%s/0",
})
