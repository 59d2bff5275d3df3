package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/worker"
)

func newWorkerRelease(stdout io.Writer) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "release ID",
		Short: "Give back a worker id that nobody needs any more",
		Long: `Release gives a recycled worker id back, so that nobody has to wait until its
lease has run out: after a crash, say. It does so for worker ids that the same
--owner holds, and for those whose lease has run out. Worker steal takes any.

The next holder's ids begin behind all that was granted to the last one, so this is
safe even if that one is alive.`,
		Example: `  uidbench worker release 17 --store redis://cache.example.com:6379/0
  uidbench worker release 17 --store sqlite:worker.db --owner orders@web-3`,
		Args: oneID,
		RunE: func(c *cobra.Command, args []string) error { return f.release(c.Context(), args[0], false, stdout) },
	}
	f.bind(cmd)
	f.assigner.bindNamespace(cmd.Flags())
	bindOwner(cmd.Flags(), &f.assigner.owner)
	return cmd
}

func newWorkerSteal(stdout io.Writer) *cobra.Command {
	var f workerFlags
	cmd := &cobra.Command{
		Use:   "steal ID",
		Short: "Take a worker id away from whoever holds it",
		Long: `Steal gives a recycled worker id back in place of its holder, also when that one is
alive. It brings no duplicates: the next holder's ids begin behind all that was
granted, and the holder notices at the next sign of life, drops what it has not
handed out, and takes another worker id.`,
		Example: `  uidbench worker steal 17 --store etcd://etcd.example.com:2379/uid`,
		Args:    oneID,
		RunE:    func(c *cobra.Command, args []string) error { return f.release(c.Context(), args[0], true, stdout) },
	}
	f.bind(cmd)
	f.assigner.bindNamespace(cmd.Flags())
	return cmd
}

func bindOwner(flags *pflag.FlagSet, owner *string) {
	flags.StringVar(owner, "owner", "", "`NAME` of who holds worker ids here (default: "+defaultOwner()+")")
}

func oneID(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("which worker id? type: %s ID", c.CommandPath())
	}
	return nil
}

func (f *workerFlags) release(ctx context.Context, arg string, forced bool, stdout io.Writer) error {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 0 {
		return usagef("%q is no worker id: type a number, such as 17", arg)
	}
	s, err := f.openLeases()
	if err != nil {
		return err
	}
	defer s.close()
	was, v, err := f.free(ctx, s, id, forced)
	if err != nil {
		return f.assigner.hint(s, err)
	}
	if f.format == "json" {
		return writeJSON(stdout, describeHolder(v, was, released))
	}
	next := max(was.High+1, v.Floor)
	text := fmt.Sprintf("worker id %d is free; its next ids are of %s or later", id, formatInstant(grantEnd(next-1, v.Unit)))
	if from := grantEnd(next-v.Window-1, v.Unit); from.After(v.Now) {
		text += fmt.Sprintf(", granted from %s on", formatInstant(from))
	}
	if !was.Held {
		text += "; nobody held it"
	} else if was.Owner != "" {
		text += "; " + was.Owner + " held it"
	}
	_, err = fmt.Fprintln(stdout, text)
	return err
}

// free releases a row as it is, high-water mark and all. It returns the row as it
// was.
func (f *workerFlags) free(ctx context.Context, s *store, id int64, forced bool) (worker.Row, worker.View, error) {
	const attempts = 10
	for range attempts {
		v, err := s.leases.View(ctx, f.assigner.namespace, id, id)
		if err != nil {
			return worker.Row{}, v, err
		}
		if len(v.Rows) == 0 {
			return worker.Row{}, v, usagef("%q has no worker id %d: it has %d to %d", v.Name, id, v.First, v.Last)
		}
		row := v.Rows[0]
		if !row.Held {
			return row, v, nil
		}
		if !forced && row.Owner != f.assigner.owner && row.Expires.After(v.Now) {
			return row, v, fmt.Errorf("worker id %d is held by %q, whose lease runs until %s: "+
				"if that is you, type --owner; `uidbench worker steal %[1]d` takes it away all the same", id, row.Owner, row.Expires.UTC().Format(time.RFC3339))
		}
		if v.Server != v.Epoch {
			r := worker.Raise{Namespace: v.Name, Epoch: v.Epoch, Floor: v.Floor, Slack: ticks(slack, v.Unit)}
			if _, err := s.leases.Raise(ctx, r); err != nil {
				return row, v, err
			}
			continue
		}
		applied, err := s.leases.Write(ctx, freeing(v, row))
		if applied || err != nil {
			return row, v, err
		}
	}
	return worker.Row{}, worker.View{}, fmt.Errorf("worker id %d changes faster than it can be released: try again", id)
}

// freeing is the write that releases a row for somebody else. Nobody knows here
// how far the holder has come, so all that was granted to it counts as minted.
func freeing(v worker.View, row worker.Row) worker.Write {
	w := worker.Write{
		Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []worker.Nonce{row.Nonce}, High: row.High,
		Owner: row.Owner, Release: true, Now: v.Now,
	}
	rand.Read(w.Nonce[:])
	return w
}
