package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/worker"
)

// mostByDefault is the largest worker id of ten bits, which Twitter's Snowflake and most of its
// successors have.
const mostByDefault = 1<<10 - 1

// The exit codes for a program that could not be started, which are those of env(1).
const (
	exitCannotRun = 126
	exitNotFound  = 127
)

type execFlags struct {
	store storeurl.Flags
	env   string
	most  int64
}

func newWorkerExec() *cobra.Command {
	var f execFlags
	cmd := &cobra.Command{
		Use:   "exec --store URL [--env NAME] -- PROGRAM [ARG...]",
		Short: "Run a program of any language with a worker id of its own",
		Long: `Exec takes a new worker id from the table WORKER_NODE, which never gives one twice, and
becomes the program. The program has the worker id in its environment, and in its arguments
wherever {} stands. The process is the program's own, so it gets all signals, and its exit
code counts. Exec exits with 127 if there is no such program, with 126 if it cannot run.

Each start uses up a worker id, even one that fails. When ids exceed --max, exec refuses to
start the program: a generator that cuts the number to its bits would have the worker id of
another process. docs/guide.md says what to do then, and how the usual libraries take the
number.

These worker ids are never recycled. A lease can only be taken back from a generator that
checks its lease before each id, as ringuid's generators do.`,
		Example: `  ringuid worker exec --store mysql://uid:secret@db.example.com/uid --env WORKER_ID -- java -jar app.jar
  ringuid worker exec --store postgres://uid:secret@db.example.com/uid --max 63 -- node app.js --worker={}
  ringuid worker exec --store sqlite:worker.db -- sh -c 'echo I am worker $WORKER_ID'`,
		DisableFlagsInUseLine: true,
		RunE:                  func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.bind(cmd)
	return cmd
}

func (f *execFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows the program's name is for the program
	f.store.Bind(flags, "here a database, one for all machines; default: the variable RINGUID_STORE")
	flags.StringVar(&f.env, "env", "WORKER_ID", "`NAME` of the environment variable")
	flags.Int64Var(&f.most, "max", mostByDefault,
		"`N` is the largest worker id that fits the program's ids: 1023 for 10 bits, 63 for 6")
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (f *execFlags) check(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return cli.Usagef("which program? type: %s --store URL -- PROGRAM [ARG...]", c.CommandPath())
	case !envName.MatchString(f.env):
		return cli.Usagef("--env %q is no name of an environment variable: type letters, digits and "+
			"underscores", f.env)
	case f.most < 1:
		return cli.Usagef("--max %d: worker ids count up from 1", f.most)
	}
	return f.store.Demand()
}

func (f *execFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(c, args); err != nil {
		return err
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		code := exitCannotRun
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			code = exitNotFound
		}
		return cli.Coded(fmt.Errorf("nothing was started, and no worker id spent: %w", err), code)
	}
	id, err := f.register(c.Context(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	number := strconv.FormatInt(id, 10)
	for i := range args[1:] {
		args[i+1] = strings.ReplaceAll(args[i+1], "{}", number)
	}
	if err := os.Setenv(f.env, number); err != nil {
		return err
	}
	return become(path, args, os.Environ())
}

func (f *execFlags) register(ctx context.Context, stderr io.Writer) (id int64, err error) {
	s, err := f.store.Open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Leases == nil {
		return 0, cli.Usagef("--store %s is the same worker id at each start: set %s yourself, or type "+
			"the URL of a database", s.Name, f.env)
	}
	if s.Table == nil {
		return 0, cli.Usagef("--store %s has recycled worker ids: type the URL of a database\n"+
			"A lease that ran out goes to another process. A program that was paused meanwhile, or cut "+
			"off from the store, then makes the other's ids: only a generator that asks its lease before "+
			"each id can be stopped", s.Name)
	}
	if err := mustExist(s, ""); err != nil {
		return 0, err
	}
	late := time.AfterFunc(time.Second, func() {
		fmt.Fprintf(stderr, "ringuid: waiting for a worker id from %s, for up to a minute\n", s.Name)
	})
	defer late.Stop()
	lease, err := worker.Disposable(s.Table).Assign(ctx, worker.Need{MaxID: f.most})
	switch {
	case errors.Is(err, worker.ErrIDRange):
		return 0, fmt.Errorf("%w: the program's ids hold 1 to %d (--max): it is not started", err,
			f.most)
	case err != nil:
		return 0, err
	}
	return lease.WorkerID(), nil
}

// become replaces this process by a program, which keeps its id, its parent, its files and its
// terminal: there is no process in between that could lose a signal or an exit code. On systems
// where a process cannot become another, it runs the program and exits as that does.
func become(path string, args, env []string) error {
	err := syscall.Exec(path, args, env) // returns only if it failed
	if !errors.Is(err, errors.ErrUnsupported) {
		return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
	}
	// The console sends an interrupt to both, and the program decides what to do.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	cmd := exec.Command(path, args[1:]...)
	cmd.Args, cmd.Env = args, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return cli.Coded(nil, ended.ExitCode())
	}
	if err != nil {
		return cli.Coded(fmt.Errorf("%s cannot be run: %w", path, err), exitCannotRun)
	}
	return nil
}
