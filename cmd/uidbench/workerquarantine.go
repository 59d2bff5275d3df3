package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/worker"
)

func newWorkerQuarantine(stdout io.Writer) *cobra.Command {
	var (
		f     workerFlags
		floor string
		now   bool
		yes   bool
	)
	cmd := &cobra.Command{
		Use:   "quarantine",
		Short: "Close off the past of a store that was restored from a backup",
		Long: `Quarantine is for a store that was restored from a backup, or that lost writes in
another way: it no longer knows what it granted since. Afterwards no worker id is
granted for a time before the floor. Use --now if every holder got its grants before
this moment: the floor is then after everything that they can have been granted. If
the clock of one of them was fast, give the --floor yourself. It is never lowered:
one that is far ahead, as after a slip in the year, is refused unless --yes is typed.`,
		Example: `  uidbench worker quarantine --store etcd://etcd.example.com:2379/uid --now
  uidbench worker quarantine --store redis://cache.example.com:6379/0 --floor 2026-11-05T12:00:00Z`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if now == (floor != "") {
				return usagef("type either --now or --floor TIME")
			}
			var until time.Time
			if !now {
				var err error
				if until, err = parseTime("--floor", floor); err != nil {
					return err
				}
			}
			s, err := f.openLeases()
			if err != nil {
				return err
			}
			defer s.close()
			v, err := s.leases.View(c.Context(), f.assigner.namespace, 0, -1)
			if err != nil {
				return f.assigner.hint(s, err)
			}
			tick := v.TickAt(until.Add(v.Unit - 1)) // the first one that begins then or later
			switch {
			case now:
				tick = v.SafeFloor(slack)
			case farAhead(v, until) && !yes:
				return usagef("--floor %s is %s ahead of the store's clock: nothing would be granted until "+
					"then, and it is never lowered; type --yes if that is meant",
					floor, human.Wait(v.Now, until))
			}
			if err := s.leases.Quarantine(c.Context(), v.Name, tick); err != nil {
				return err
			}
			if v, err = s.leases.View(c.Context(), v.Name, 0, -1); err != nil {
				return err
			}
			if f.format == "json" {
				return human.WriteJSON(stdout, describeNamespace(s, v))
			}
			_, err = fmt.Fprintf(stdout,
				"namespace %s in %s grants no time before %s any more; it grants again from %s on\n",
				v.Name, s.name, formatInstant(v.Start(v.Floor)), formatInstant(v.Start(v.Floor-v.Window)))
			return err
		},
	}
	f.bind(cmd)
	f.assigner.bindNamespace(cmd.Flags())
	cmd.Flags().StringVar(&floor, "floor", "", "`TIME` before which nothing is granted any more")
	cmd.Flags().BoolVar(&now, "now", false, "after everything that can have been granted until now")
	cmd.Flags().BoolVar(&yes, "yes", false, "also a --floor that is far ahead")
	return cmd
}

// farAhead: a floor so late lies above what any clock that is a little fast can have been
// granted, and is rather a slip, which would cost all worker ids until then.
func farAhead(v worker.View, floor time.Time) bool {
	window := time.Duration(v.Window) * v.Unit
	return floor.After(v.Now.Add(window + 24*time.Hour))
}
