package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/storeurl"
)

func newWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "worker",
		GroupID: "worker",
		Short:   "Create, list, release and repair the worker ids of a store",
		Long: `These commands create the tables and rows that worker ids come from, show which process
has which worker id, and repair a store after a crash or a restored backup. All of them
use the store of --store, or of the variable RINGUID_STORE.

` + storeurl.Help + `

Release, steal and quarantine exit with 5 if nothing is there: compare the URL with the
settings of the processes. Releasing or stealing a worker id that is in use causes no
duplicates: the ids of its next holder begin above everything that was granted.`,
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
	store    storeurl.Flags
	format   format
	assigner assignerFlags
}

func (f *workerFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.store.Bind(flags, "default: the variable RINGUID_STORE")
	f.format.bind(flags, "answer")
}

// open opens the store and settles the way to get worker ids from it.
func (f *workerFlags) open() (*store, error) {
	if err := f.store.Demand(); err != nil {
		return nil, err
	}
	s, err := openStore(&f.store)
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

// openExisting opens a store that must exist, else the exit code is this one.
func (f *workerFlags) openExisting(code int) (*store, error) {
	s, err := f.open()
	if err != nil {
		return nil, err
	}
	if err := s.mustExist(); err != nil {
		return nil, codedError{errors.Join(err, s.close()), code}
	}
	return s, nil
}
