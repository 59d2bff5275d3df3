package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// service is a program that takes ids, as scripts start it beside ringuid:
//
//	service [-disposable] [-workers FIRST-LAST] [-layout LAYOUT] [-crash] STORE
//
// It takes ten ids, and prints its worker id. One that crashes gives it back to nobody.
func service() {
	var layout cli.Layout
	var claim worker.Claim
	fromTable := flag.Bool("disposable", false, "")
	crash := flag.Bool("crash", false, "")
	flag.StringVar(&layout.Layout, "layout", "", "")
	flag.Var(cli.Workers(&claim), "workers", "")
	flag.BoolVar(&claim.AllowUnfenced, "allow-unfenced", false, "")
	flag.Parse()
	if err := take(layout, claim, *fromTable, *crash, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}

func take(layout cli.Layout, claim worker.Claim, fromTable, crash bool, url string) error {
	ctx := context.Background()
	l, err := layout.Named()
	if err != nil {
		return err
	}
	s, err := storeurl.Open(url, "")
	if err != nil {
		return err
	}
	defer s.Close()
	claim.Owner = "service"
	claim.Logger = slog.New(slog.DiscardHandler)
	a := worker.Leased(s.Leases, claim)
	if fromTable {
		a = worker.Disposable(s.Table)
	}
	g, err := uid.New(ctx, a, uid.Config{Layout: l, Logger: claim.Logger})
	if err != nil {
		return err
	}
	if _, err := g.AppendUIDs(nil, 10); err != nil {
		return err
	}
	fmt.Printf("worker id %d (%v)\n", g.Stats().WorkerID, g.Stats().Class)
	if crash {
		os.Exit(0)
	}
	return g.Close()
}
