package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/stores"
	"github.com/ringuid/ringuid/worker"
)

func newWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "worker",
		GroupID: "worker",
		Short:   "Create, list, release and repair the worker ids of a store",
		Long: `These commands create the tables and rows that worker ids come from, show which process
has which worker id, and repair a store after a crash or a restored backup. All of them
use the store of --store, or of the variable RINGUID_STORE.

` + stores.Help + `

Release, steal and quarantine exit with 5 if nothing is there: compare the URL with the
settings of the processes. Releasing or stealing a worker id that is in use causes no
duplicates: the ids of its next holder begin above everything that was granted.`,
		Example: `  ringuid worker init --store sqlite:worker.db
  ringuid worker list --store sqlite:worker.db`,
		SuggestionsMinimumDistance: 2,
		Args:                       cli.NoArgs,
		// Where the command is unknown, its flags are not what is wrong.
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, _ []string) error {
			return cli.Usagef("worker init or worker list? `%s --help` says more", c.CommandPath())
		},
	}
	cmd.AddCommand(newWorkerInit(), newWorkerList(), newWorkerRelease(), newWorkerSteal(),
		newWorkerQuarantine(), newWorkerExec())
	return cmd
}

type workerFlags struct {
	store  storeurl.Flags
	format cli.Format
	kind   string // disposable or leased
	claim  worker.Claim
}

func (f *workerFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.store.Bind(flags, "default: the variable RINGUID_STORE")
	f.format.Bind(flags, "answer")
}

// open opens the store and settles the kind of worker ids.
func (f *workerFlags) open() (*storeurl.Store, error) {
	if err := f.store.Demand(); err != nil {
		return nil, err
	}
	s, err := f.store.Open()
	if err != nil {
		return nil, err
	}
	f.claim.Logger = slog.New(slog.DiscardHandler)
	switch {
	case s.Leases == nil:
		err = cli.Usagef("--store %s keeps no worker ids: type another", s.Name)
	case f.kind == disposable && s.Table == nil:
		err = cli.Usagef("--assigner disposable needs a database: leave --assigner out, or type another "+
			"--store than %s", s.Name)
	case f.kind == "" && s.Table == nil:
		f.kind = leased
	case f.kind == "":
		f.kind = disposable
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// bindAssigner is for commands about both kinds of worker ids.
func (f *workerFlags) bindAssigner(cmd *cobra.Command, what string) {
	cmd.Flags().Var(cli.OneOf(&f.kind, disposable, leased), "assigner",
		what+" this `METHOD`: disposable (a new worker id for each start) or leased (used again) "+
			"(default: disposable in a database; leased in other stores, and with flags about these)")
}

// openExisting opens a store that must exist, else the exit code is this one.
func (f *workerFlags) openExisting(code int) (*storeurl.Store, error) {
	s, err := f.open()
	if err != nil {
		return nil, err
	}
	if err := mustExist(s, f.kind); err != nil {
		return nil, cli.Coded(errors.Join(err, s.Close()), code)
	}
	return s, nil
}

// The kinds of worker ids that a store may keep.
const (
	disposable = "disposable"
	leased     = "leased"
)

// mustExist returns an error if a SQLite file does not exist, which SQLite would create.
func mustExist(s *storeurl.Store, kind string) error {
	path, ok := strings.CutPrefix(s.Name, "sqlite:")
	if !ok {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		rows := ""
		if kind == leased {
			rows = " --layout SnowflakeLayout"
		}
		return fmt.Errorf("there is no file %s: make it with `ringuid worker init --store %s%s`", path,
			s.Name, rows)
	}
	return nil
}

// nothing says that no rows were found, where, and what may be wrong.
func nothing(s *storeurl.Store) string {
	return fmt.Sprintf("there are no leased worker ids in %s: this looked for %s. None were created "+
		"yet, or they were deleted; if processes have some, compare %s with theirs", s.Name, s.Place,
		s.Differ)
}
