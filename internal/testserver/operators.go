package testserver

import "os"

// What operators do to a cluster.

// Replace ends a member for good, with its disk, and has an empty one take its place at the
// same address. It returns when that serves, and so knows what the others know.
func (c *Cluster) Replace(m *Server) {
	c.t.Helper()
	m.Kill()
	err := os.RemoveAll(m.dataDir())
	if err == nil {
		err = c.rejoin(m)
	}
	if err != nil {
		c.t.Fatalf("replacing a member: %v", err)
	}
	m.Start()
}

// Backup keeps the state of now. What it returns puts all members back to it: of etcd, they
// are a new cluster then. Arguments go to the program that makes a member of etcd's snapshot.
func (c *Cluster) Backup() (restore func(args ...string)) {
	c.t.Helper()
	put, err := c.backup()
	if err != nil {
		c.t.Fatalf("keeping a backup: %v", err)
	}
	return func(args ...string) {
		c.t.Helper()
		for _, m := range c.Members {
			m.Stop()
		}
		if err := put(args); err != nil {
			c.t.Fatalf("restoring a backup: %v", err)
		}
		c.Start()
	}
}
