package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/worker"
	protocol "github.com/ringuid/ringuid/worker/store"
)

// dropFlags are the flags of worker drop, as typed.
type dropFlags struct {
	workerFlags
	yes, forced bool
}

func newWorkerDrop(stdout, stderr io.Writer) *cobra.Command {
	var f dropFlags
	cmd := &cobra.Command{
		Use:   "drop",
		Short: "Remove a namespace of recycled worker ids",
		Long: `Drop removes a namespace of recycled worker ids, when you have typed its name once
more. While a worker id is held it refuses, unless --force says that its holder may
lose it: he uses up what was granted to him, and then makes no ids.

What was made stays unique. The store remembers until when these worker ids were
granted, and whoever gets them next, in a namespace of any name, begins behind that.
WORKER_NODE cannot be dropped: its worker ids would come again.`,
		Example: `  uidbench worker drop --store redis://cache.example.com:6379/0 --namespace orders
  uidbench worker drop --store sqlite:worker.db --namespace orders --yes`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c, stdout, stderr) },
	}
	f.bind(cmd)
	flags := cmd.Flags()
	f.assigner.bindNamespace(flags)
	flags.BoolVar(&f.yes, "yes", false, "do not ask for the name")
	flags.BoolVar(&f.forced, "force", false, "also while worker ids are held")
	return cmd
}

func (f *dropFlags) run(c *cobra.Command, stdout, stderr io.Writer) error {
	if f.assigner.namespace == "" {
		return usagef("which namespace? type: %s --namespace NAME", c.CommandPath())
	}
	s, err := f.openLeases()
	if err != nil {
		return err
	}
	defer s.close()
	v, err := s.leases.View(c.Context(), f.assigner.namespace, 0, -1)
	if errors.Is(err, worker.ErrNoNamespace) {
		return fmt.Errorf("nothing was removed: there is no namespace %s in %s: %w", f.assigner.namespace, s.name, worker.ErrNoNamespace)
	}
	if err != nil {
		return err
	}
	if !f.yes {
		if err := confirm(c.InOrStdin(), stderr, s, v); err != nil {
			return err
		}
	}
	err = s.remove(c.Context(), v.Name, f.forced)
	switch {
	case errors.Is(err, worker.ErrHeld):
		return fmt.Errorf("nothing was removed: %w\nor remove it all the same with --force", err)
	case err != nil:
		return err
	}
	if f.format == "json" {
		return human.WriteJSON(stdout, describeNamespace(s, v))
	}
	_, err = fmt.Fprintf(stdout, "namespace %s is gone from %s; whoever gets its worker ids %d to %d begins behind all that was granted with them\n",
		v.Name, s.name, v.First, v.Last)
	return err
}

// confirm asks for the name of what is to be removed.
func confirm(stdin io.Reader, stderr io.Writer, s *store, v worker.View) error {
	fmt.Fprintf(stderr, "This removes worker ids %d to %d of namespace %s from %s.\nIts name, to go on: ", v.First, v.Last, v.Name, s.name)
	line, _ := bufio.NewReader(stdin).ReadString('\n')
	switch typed := strings.TrimSpace(line); typed {
	case v.Name:
		return nil
	case "":
		fmt.Fprintln(stderr)
		return usagef("nothing was removed: type the name %s, or --yes", v.Name)
	default:
		return usagef("nothing was removed: %q is not %s", typed, v.Name)
	}
}

// remove removes a namespace.
func (s *store) remove(ctx context.Context, namespace string, held bool) error {
	r, ok := s.leases.(protocol.Remover)
	if !ok {
		return errNoRemover(s.name)
	}
	return r.Remove(ctx, namespace, protocol.RemoveOptions{Held: held, Slack: slack})
}

func errNoRemover(name string) error {
	return fmt.Errorf("namespaces cannot be removed from a store such as %s", name)
}
