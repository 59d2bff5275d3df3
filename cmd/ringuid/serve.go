package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/serve"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

type serveFlags struct {
	store        storeurl.Flags
	layout       cli.Layout
	claim        worker.Claim
	server       serve.Config
	mode         string
	passwordFile string

	cert, key, clientCA string
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: "ids",
		Short:   "Hand out ids to programs of any language, over RESP and HTTP",
		Long: `Serve takes a worker id and hands out its ids, to programs of any language, also to those
that fork. Clients of Redis work as they are. LPOP ids gives one id, LPOP ids 100 gives up
to a hundred that increase, and BLPOP ids 5 waits up to five seconds. If no id has come after a
second, LPOP answers with an error that begins with NOID. One for a wrong command begins with
WRONG. Nil is only what BLPOP answers when its time is over.

Over HTTP, /id gives one as text, /ids?n=100 an array of JSON, and Leaf's
/api/snowflake/get/KEY one of the same generator, whatever the key. There are also /metrics,
/readyz and /livez.

Without --resp and --http it listens for RESP on the sockets that systemd passed (on one named
http for HTTP). If there are none, it listens on 127.0.0.1:7379 and on ringuid.sock in
$RUNTIME_DIRECTORY, $XDG_RUNTIME_DIR or the folder for temporary files.

An address takes 10,000 clients at once. One that is silent for an hour, over HTTP for a minute,
is disconnected. A signal ends the server: it answers what it has read, and gives the worker id
back.`,
		Example: `  ringuid serve --store postgres://uid:secret@db.example.com/uid
  ringuid serve --store redis://cache.example.com:6379/0 --http :8080 --client-password-file pw.txt`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c)
		},
	}
	f.bind(cmd)
	return cmd
}

func (f *serveFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.store.Bind(flags, "default: the variable RINGUID_STORE")
	f.layout.Bind(cmd)
	flags.Var(cli.Workers(&f.claim), "workers",
		"take one of these worker ids, `FIRST-LAST` (default: 1024 of the layout's)")
	flags.StringArrayVar(&f.server.RESP, "resp", nil,
		"listen for RESP on `ADDR`: HOST:PORT or unix:PATH; it may be there more than once")
	flags.StringArrayVar(&f.server.HTTP, "http", nil, "listen for HTTP on `ADDR`, as for --resp")
	flags.StringVar(&f.mode, "socket-mode", "0600",
		"`MODE` of unix sockets: 0660 lets the group take ids, 0666 all users")
	flags.StringVar(&f.passwordFile, "client-password-file", "",
		"`FILE` with the password of all clients: RESP's AUTH, HTTP's Bearer (but for /readyz, /livez)")
	flags.StringVar(&f.cert, "tls-cert", "",
		"`FILE` with the certificate for TCP connections; it is read again when it changes")
	flags.StringVar(&f.key, "tls-key", "", "`FILE` with its key")
	flags.StringVar(&f.clientCA, "client-ca", "",
		"`FILE` with the authorities whose certificates clients must have")
	flags.BoolVar(&f.server.Open, "open", false,
		"let everybody take ids who reaches an address that is not loopback")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
}

func (f *serveFlags) configure() error {
	mode, err := strconv.ParseUint(f.mode, 8, 9)
	switch {
	case err != nil:
		return cli.Usagef("--socket-mode %s: type digits of 0 to 7, such as 0660", f.mode)
	case f.clientCA != "" && f.cert == "":
		return cli.Usagef("--client-ca is for TLS: add --tls-cert and --tls-key")
	}
	f.server.SocketMode = fs.FileMode(mode)
	if f.passwordFile != "" {
		if f.server.Password, err = storeurl.ReadPassword(f.passwordFile); err != nil {
			return cli.Usagef("--client-password-file %s: %w", f.passwordFile, err)
		}
	}
	if f.cert != "" {
		if f.server.TLS, err = serve.LoadTLS(f.cert, f.key, f.clientCA, f.server.Logger); err != nil {
			return cli.Usagef("TLS: %w", err)
		}
	}
	return nil
}

// init is what worker init is typed with for the rows of this server.
func (f *serveFlags) init() string {
	flags := " --layout " + quoted(cmp.Or(f.layout.Layout, "SnowflakeLayout"))
	if !f.layout.Epoch.IsZero() {
		flags += " --epoch " + f.layout.Epoch.Format(time.RFC3339Nano)
	}
	if c := f.claim; c.Count > 0 {
		flags += fmt.Sprintf(" --workers %d-%d", c.First, c.First+c.Count-1)
	}
	return flags
}

func (f *serveFlags) run(c *cobra.Command) (err error) {
	ctx := c.Context()
	layout, err := f.layout.Named()
	if err != nil {
		return err
	}
	logger := cli.Logger(c, slog.LevelInfo)
	host, _ := os.Hostname()
	f.server.Logger, f.claim.Logger, f.claim.Owner = logger, logger, "ringuid serve on "+host
	err = errors.Join(cli.CheckOver(layout), f.configure(), f.store.Demand())
	if err != nil {
		return err
	}
	s, err := f.store.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := mustExist(s, f.init()); err != nil {
		return err
	}
	if s.Leases == nil && f.claim.Count > 0 {
		return cli.Usagef("--workers is for recycled worker ids, and --store %s is one alone: leave "+
			"one of them out", s.Name)
	}
	server, err := serve.Listen(f.server)
	if err != nil {
		return err
	}
	defer server.Close()
	assigner := worker.Leased(s.Leases, f.claim)
	if s.Leases == nil {
		assigner = worker.Static(s.Static)
	}
	gen, err := uid.New(ctx, assigner, uid.Config{Layout: layout, Logger: logger})
	switch {
	case errors.Is(err, worker.ErrIDRange):
		return cli.AsUsage(err)
	case err != nil:
		return err
	}
	for _, address := range server.Addresses() {
		fmt.Fprintln(c.OutOrStdout(), address)
	}
	return server.Serve(ctx, gen)
}
