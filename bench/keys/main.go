// Command keys measures what a key does to a table. Several processes insert rows at a given
// rate into PostgreSQL, MariaDB or MySQL, with keys of many kinds. The command shows the size
// and the density of the indexes, page splits, bytes of the log, rows a second, and the blocks
// that queries read:
//
//	go run -C bench/keys . -dsn 'postgres://me@db/test' -dsn 'me:secret@tcp(db)/' -svg keys.svg
//
// `make keys` runs it on the installed servers, which it starts. ARGS are flags:
//
//	make keys ARGS='-rows 150000 -rate 200 -svg /tmp/keys.svg'
//
// In the database it creates a schema uid_keys (in MySQL, a database of that name), and drops
// it with everything in it.
//
// A row has 100 bytes besides its key, 8 of them its creation time. The same transaction
// inserts a row into a second table, whose indexed foreign key refers to the first. Log bytes
// and page splits are those of both rows and all three indexes. Each process commits one row
// after the other. Worker ids come from [worker.Leased] in the same database, from a pool whose
// first minute is over unless the kind of key says otherwise.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() { os.Exit(start(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// start runs the command, or one of its processes.
func start(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	err := error(nil)
	if job := os.Getenv(asProcess); job != "" {
		err = insertAs(job, stdin, stdout)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		err = run(ctx, args, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "keys:", err)
		return 1
	}
	return 0
}

type options struct {
	Rows      int
	Rate      float64
	Processes int

	keys, servers []string
	svg           string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("keys", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Func("dsn", "a `server`: postgres://... or user:password@tcp(host)/; may be repeated",
		func(dsn string) error { o.servers = append(o.servers, dsn); return nil })
	f.IntVar(&o.Rows, "rows", 8000, "rows of each kind of key")
	f.Float64Var(&o.Rate, "rate", 2000, "rows a second, of all processes together")
	f.IntVar(&o.Processes, "processes", 4, "processes that insert, at most 16")
	f.StringVar(&o.svg, "svg", "", "also draw the densities into this `file`")
	var all []string
	for _, k := range kinds() {
		all = append(all, k.name)
	}
	names := f.String("keys", strings.Join(all, ","), "kinds of keys, with commas between")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.keys = strings.Split(*names, ",")
	for _, name := range o.keys {
		if !slices.Contains(all, name) {
			return o, fmt.Errorf("no kind of key is %q: there are %s", name, strings.Join(all, ", "))
		}
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case len(o.servers) == 0:
		return o, errors.New("no -dsn; `make keys` starts servers")
	case o.Processes < 1 || o.Processes > workerIDs || o.Rows < 2 || o.Rate <= 0:
		return o, fmt.Errorf("want 1 to %d processes, 2 rows or more, and a rate above 0", workerIDs)
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r, err := measured(ctx, args, stderr)
	if err != nil {
		return err
	}
	return r.publish(stdout)
}

// measured returns what the flags ask for.
func measured(ctx context.Context, args []string, stderr io.Writer) (r report, err error) {
	if r.Options, err = parse(args, stderr); err != nil {
		return r, err
	}
	for _, dsn := range r.Options.servers {
		if err := r.add(ctx, dsn, stderr); err != nil {
			return r, err
		}
	}
	return r, nil
}

// add measures the kinds of keys on a server, one after the other.
func (r *report) add(ctx context.Context, dsn string, stderr io.Writer) error {
	d := connect(ctx, dsn)
	if d.err != nil {
		return d.err
	}
	defer d.Close()
	for i, k := range kinds() {
		if slices.Contains(r.Options.keys, k.name) {
			fmt.Fprintf(stderr, "%s: %s\n", d.version, k.name)
			r.Results = append(r.Results, measure(r.Options, d, i, dsn))
		}
		if d.err != nil {
			return fmt.Errorf("%s: %s: %w", d.version, k.name, d.err)
		}
	}
	d.do(d.sql["end"])
	return d.err
}
