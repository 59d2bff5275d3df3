package main

import (
	"fmt"
	"io"
	"net"
	"text/tabwriter"
	"time"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

func writeNodes(w io.Writer, store string, rows []sqlstore.Row) error {
	if len(rows) == 0 {
		return writeNone(w, store)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WORKER ID\tHOST\tSINCE")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%s\t%s\n", r.ID, address(r), startedAt(r))
	}
	return t.Flush()
}

func writeNone(w io.Writer, store string) error {
	_, err := fmt.Fprintf(w, "no process has taken a worker id from %s yet\n", store)
	return err
}

// node is a row as JSON shows it.
type node struct {
	WorkerID int64  `json:"worker_id"`
	Host     string `json:"host"`
	Port     string `json:"port,omitempty"`
	Type     string `json:"type"`
	Started  string `json:"started"`
}

func describeNodes(rows []sqlstore.Row) []node {
	nodes := []node{}
	for _, r := range rows {
		nodes = append(nodes, node{r.ID, r.HostName, port(r), typeOf(r), startedAt(r)})
	}
	return nodes
}

// actual is the type of rows without a port of their own: see worker.Node.
const actual = 2

func typeOf(r sqlstore.Row) string {
	switch r.Type {
	case 1:
		return "CONTAINER"
	case actual:
		return "ACTUAL"
	}
	return fmt.Sprintf("NodeType(%d)", r.Type)
}

// port is the row's, where it is one.
func port(r sqlstore.Row) string {
	if r.Type == actual {
		return ""
	}
	return r.Port
}

// address is the host, with its port if there is one.
func address(r sqlstore.Row) string {
	if p := port(r); p != "" {
		return net.JoinHostPort(r.HostName, p)
	}
	return r.HostName
}

// startedAt is when a row was added, or the date alone in rows that lack the time.
func startedAt(r sqlstore.Row) string {
	if r.Created.IsZero() {
		return r.LaunchDate.Format(time.DateOnly)
	}
	return r.Created.Format(time.RFC3339)
}
