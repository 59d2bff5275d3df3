package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
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
	claim  worker.Claim
}

func (f *workerFlags) bind(cmd *cobra.Command) {
	f.store.Bind(cmd.Flags(), "default: the variable RINGUID_STORE")
	f.format.Bind(cmd.Flags(), "answer")
}

// open opens a store that keeps worker ids.
func (f *workerFlags) open() (*storeurl.Store, error) {
	if err := f.store.Demand(); err != nil {
		return nil, err
	}
	s, err := f.store.Open()
	if err != nil {
		return nil, err
	}
	f.claim.Logger = slog.New(slog.DiscardHandler)
	if s.Leases == nil {
		err = cli.Usagef("--store %s keeps no worker ids: type another", s.Name)
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openExisting opens a store that must exist, else the exit code is this one. The flags of init
// make what is looked for.
func (f *workerFlags) openExisting(flags string, code int) (*storeurl.Store, error) {
	s, err := f.open()
	if err != nil {
		return nil, err
	}
	if err := mustExist(s, flags); err != nil {
		return nil, cli.Coded(errors.Join(err, s.Close()), code)
	}
	return s, nil
}

// withRows has init create rows of recycled worker ids.
const withRows = " --layout SnowflakeLayout"

// mustExist returns an error if a SQLite file does not exist, which SQLite would create.
func mustExist(s *storeurl.Store, flags string) error {
	path, ok := strings.CutPrefix(s.Name, "sqlite:")
	if !ok {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s: make it with `ringuid worker init --store %s%s`", path,
			quoted(s.Name), flags)
	}
	return nil
}

var plain = regexp.MustCompile(`^[\w/:@=.,+-]+$`)

// quoted returns what a shell takes for this text.
func quoted(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// nothing says that no rows were found, where, and what may be wrong.
func nothing(s *storeurl.Store) string {
	return fmt.Sprintf("there are no leased worker ids in %s: this looked for %s. None were created "+
		"yet, or they were deleted; if processes have some, compare %s with theirs", s.Name, s.Place,
		s.Differ)
}
