package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/worker"
)

// acquireFlags are the flags of worker acquire, as typed.
type acquireFlags struct {
	workerFlags
	layout layoutFlags
	hold   time.Duration
}

func newWorkerAcquire(stdout, stderr io.Writer) *cobra.Command {
	var f acquireFlags
	cmd := &cobra.Command{
		Use:   "acquire",
		Short: "Take a recycled worker id and hold it",
		Long: `Acquire takes a recycled worker id, prints it and what was granted with it, keeps
it alive until it is interrupted or --hold is over, and gives it back. It makes no
ids. It ends with an error when somebody else takes the worker id over.`,
		Example: `  uidbench worker acquire --store redis://cache.example.com:6379/0
  uidbench worker acquire --store sqlite:worker.db --hold 10s --format json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.hold < 0 {
				return usagef("--hold %v: type 0s or more", f.hold)
			}
			f.assigner.layout = &f.layout
			s, err := f.openLeases()
			if err != nil {
				return err
			}
			defer s.close()
			return f.run(c.Context(), s, stdout, stderr)
		},
	}
	f.bind(cmd)
	flags := cmd.Flags()
	flags.Var(oneOf(&f.assigner.name, recyclers()...), "assigner", "choose a recycled worker id by this `METHOD`: leased, or as adnc, leaf, raindrop or zk do (default: leased)")
	f.assigner.bindRecycled(flags)
	bindOwner(flags, &f.assigner.owner)
	f.layout.bind(cmd)
	flags.DurationVar(&f.hold, "hold", math.MaxInt64, "hold it for this `DURATION`: 0s gives it back at once")
	flags.Lookup("hold").DefValue = "until interrupted"
	return cmd
}

func (f *acquireFlags) run(ctx context.Context, s *store, stdout, stderr io.Writer) error {
	c, err := f.layout.config()
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	n := c.Layout.Need()
	f.assigner.unit = n.Unit
	l, err := f.assigner.of(s, logger).Assign(ctx, n)
	if err != nil {
		return f.assigner.hint(s, err)
	}
	failed := f.show(stdout, s, l, n.Unit)
	if failed == nil {
		failed = f.wait(ctx, l)
	}
	// Nothing was minted, so the next holder begins where this one did.
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), slack)
	defer cancel()
	if err := l.Release(bye, math.MinInt64); failed == nil && err != nil {
		return fmt.Errorf("giving worker id %d back: %w; it is free when its lease has run out", l.WorkerID(), err)
	}
	return failed
}

// acquired is a worker id as JSON shows it.
type acquired struct {
	WorkerID     int64  `json:"worker_id"`
	Class        string `json:"class"`
	Store        string `json:"store"`
	Namespace    string `json:"namespace"`
	Owner        string `json:"owner"`
	GrantedFrom  string `json:"granted_from"`
	GrantedUntil string `json:"granted_until"`
}

func (f *acquireFlags) show(w io.Writer, s *store, l worker.Lease, unit time.Duration) error {
	lo, hi := l.Grant()
	a := acquired{
		l.WorkerID(), l.Class().String(), s.name, f.assigner.namespace, f.assigner.owner,
		formatInstant(grantEnd(lo-1, unit)), formatInstant(grantEnd(hi, unit)),
	}
	if f.format == "json" {
		return human.WriteJSON(w, a)
	}
	_, err := fmt.Fprintf(w, "worker id %d (%s) from %s, granted from %s until %s\n", a.WorkerID, a.Class, a.Store, a.GrantedFrom, a.GrantedUntil)
	return err
}

// wait waits until the time is over or the lease is lost.
func (f *acquireFlags) wait(ctx context.Context, l worker.Lease) error {
	t := time.NewTimer(f.hold)
	defer t.Stop()
	for {
		changed := l.Changed() // before looking: nothing falls in between
		if err := l.Err(); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-t.C:
			return nil
		case <-ctx.Done():
			return nil // as good an end as any
		}
	}
}
