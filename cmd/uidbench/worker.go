package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "worker",
		GroupID: "worker",
		Short:   "Create, list, release and repair the worker ids of a store",
		Long: `These commands create the tables and rows that worker ids come from, show which process
has which worker id, and repair a store after a crash or a restored backup. All of them
use the store of --store, by default a SQLite file of uidbench's own.

Releasing or stealing a worker id that is in use causes no duplicates: the ids of its next
holder begin above everything that was granted.`,
		Example: `  uidbench worker init --store sqlite:worker.db
  uidbench worker list --store sqlite:worker.db`,
		SuggestionsMinimumDistance: 2,
		Args:                       noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return usagef("worker init or worker list? `%s --help` says more", c.CommandPath())
		},
	}
	cmd.AddCommand(newWorkerInit(), newWorkerList(), newWorkerRelease(), newWorkerSteal(),
		newWorkerQuarantine(), newWorkerExec())
	return cmd
}

// workerFlags are the flags of the commands about worker ids, as typed.
type workerFlags struct {
	url      string
	format   format
	assigner assignerFlags
}

func (f *workerFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	bindStore(cmd, &f.url)
	f.format.bind(flags, "answer")
}

func bindStore(cmd *cobra.Command, url *string) {
	cmd.Flags().StringVar(url, "store", "",
		"`URL` that worker ids come from: "+storeForms+" (default: a SQLite file of uidbench's own)")
}

// open opens the store and settles the way to get worker ids from it.
func (f *workerFlags) open() (*store, error) {
	s, err := openStore(f.url)
	if err != nil {
		return nil, err
	}
	if s.leases == nil {
		return nil, usagef("--store %s keeps no worker ids: type another", s.name)
	}
	if err := f.assigner.choose(s); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// bindAssigner is for commands about both kinds of worker ids.
func (f *workerFlags) bindAssigner(cmd *cobra.Command, what string) {
	cmd.Flags().Var(oneOf(&f.assigner.name, disposable, leased), "assigner",
		what+" this `METHOD`: disposable (a new worker id for each start) or leased (used again) "+
			"(default: disposable in a database; leased in other stores, and with flags about these)")
}

// openExisting opens a store that must exist.
func (f *workerFlags) openExisting() (*store, error) {
	s, err := f.open()
	if err != nil {
		return nil, err
	}
	if err := s.mustExist(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}
