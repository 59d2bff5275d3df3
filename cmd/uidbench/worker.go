package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

func newWorker(stdout io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Look after the table that worker ids come from",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return usagef("worker init or worker list? `%s --help` says more", c.CommandPath())
		},
	}
	cmd.AddCommand(newWorkerInit(stdout), newWorkerList(stdout))
	return cmd
}

func newWorkerInit(stdout io.Writer) *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make the table WORKER_NODE where there is none",
		Long: `Init makes the table WORKER_NODE in a database. On MySQL and MariaDB it is the
table of Baidu's UidGenerator, so that Java and Go processes can share it. A
table that is there stays as it is, and an error says if it has another shape.`,
		Example: `  uidbench worker init --store sqlite:worker.db
  uidbench worker init --store mysql://uid:secret@db.example.com:3306/uid
  uidbench worker init --store postgres://uid:secret@db.example.com:5432/uid`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := openWithTable(url)
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.makeTable(c.Context()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(stdout, "WORKER_NODE is ready in %s\n", s.name)
			return err
		},
	}
	bindStore(cmd, &url)
	return cmd
}

func newWorkerList(stdout io.Writer) *cobra.Command {
	var (
		url, format string
		limit       int
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the processes that took a worker id, the newest first",
		Example: `  uidbench worker list
  uidbench worker list --store mysql://uid:secret@db.example.com:3306/uid --limit 100
  uidbench worker list --format json | jq '.[0].worker_id'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return usagef("--format %q: there are text and json", format)
			}
			s, err := openWithTable(url)
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.mustExist(); err != nil {
				return err
			}
			rows, err := s.table.Nodes(c.Context(), limit)
			if err != nil {
				return s.censor(err)
			}
			if format == "json" {
				return writeNodesJSON(stdout, rows)
			}
			return writeNodes(stdout, s.name, rows)
		},
	}
	bindStore(cmd, &url)
	cmd.Flags().IntVar(&limit, "limit", 20, "list the newest `N`; 0: all")
	cmd.Flags().StringVar(&format, "format", "text", "`FORM` of the list: text or json")
	return cmd
}

func bindStore(cmd *cobra.Command, url *string) {
	cmd.Flags().StringVar(url, "store", "", "`URL` that worker ids come from: "+storeForms+" (default: a SQLite file of uidbench's own)")
}

// openWithTable opens a store that has a table.
func openWithTable(url string) (*store, error) {
	s, err := openStore(url)
	if err != nil {
		return nil, err
	}
	if s.table == nil {
		return nil, usagef("--store %s has no table: type a database", s.name)
	}
	return s, nil
}

func writeNodes(w io.Writer, store string, rows []sqlstore.Row) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintf(w, "no process has taken a worker id from %s yet\n", store)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WORKER ID\tHOST\tPORT\tTYPE\tSTARTED")
	for _, r := range rows {
		fmt.Fprintf(t, "%d\t%s\t%s\t%v\t%s\n", r.ID, r.HostName, r.Port, r.Type, startedAt(r))
	}
	return t.Flush()
}

// node is a row as JSON shows it.
type node struct {
	WorkerID int64  `json:"worker_id"`
	Host     string `json:"host"`
	Port     string `json:"port"`
	Type     string `json:"type"`
	Started  string `json:"started"`
}

func writeNodesJSON(w io.Writer, rows []sqlstore.Row) error {
	nodes := []node{}
	for _, r := range rows {
		nodes = append(nodes, node{r.ID, r.HostName, r.Port, r.Type.String(), startedAt(r)})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(nodes)
}

// startedAt is when a row was added, or the date alone in rows that lack the time.
func startedAt(r sqlstore.Row) string {
	if r.Created.IsZero() {
		return r.LaunchDate.Format(time.DateOnly)
	}
	return r.Created.Format(time.RFC3339)
}
