package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// The ways to get a worker id. That of static:N is never typed, as such a store has no other.
const (
	disposable = "disposable"
	leased     = "leased"
	static     = "static"
)

// assignerFlags say how to get a worker id from a store.
type assignerFlags struct {
	name  string
	order string
	claim worker.Claim // the parts of it that were typed
}

func (f *assignerFlags) bind(flags *pflag.FlagSet) {
	flags.Var(oneOf(&f.name, disposable, leased), "assigner",
		"take a worker id by this `METHOD`: disposable (a new one for each start) or leased (used "+
			"again) (default: disposable in a database; leased in other stores, and with "+
			"--order or --workers)")
	flags.Var(oneOf(&f.order, "adnc", "leaf", "raindrop", "zk"), "order",
		"choose among leased worker ids as this `SYSTEM` does: adnc, leaf, raindrop or zk")
	flags.Var(workerRange{&f.claim}, "workers",
		"take only these leased worker ids, `FIRST-LAST` (default: any that fit the layout)")
	f.bindAllowed(flags)
}

// bindAllowed binds the flags that allow something.
func (f *assignerFlags) bindAllowed(flags *pflag.FlagSet) {
	flags.BoolVar(&f.claim.AllowUnfenced, "allow-unfenced", false,
		"also take worker ids from a store whose settings may lose them")
	flags.BoolVar(&f.claim.AllowOtherLayouts, "allow-other-layouts", false,
		"allow other layouts in the same store: their ids and these never meet")
}

// choose settles the way, which by default is what the store offers.
func (f *assignerFlags) choose(s *store) error {
	if f.name == "" {
		switch {
		case s.leases == nil:
			f.name = static
		case s.table == nil || f.asksForRecycled():
			f.name = leased
		default:
			f.name = disposable
		}
	}
	switch {
	case f.name == disposable && s.table == nil:
		return usagef("--assigner disposable needs a database: "+
			"leave --assigner out, or type another --store than %s", s.name)
	case f.name == leased && s.leases == nil:
		return usagef("--assigner leased needs a store: type another --store than %s", s.name)
	case !f.recycled() && f.asksForRecycled():
		return usagef("--order, --workers and --allow-other-layouts are about recycled worker ids: " +
			"leave them out with --assigner disposable, and with --store static:N")
	case f.name == static && f.claim.AllowUnfenced:
		return usagef("--allow-unfenced is about the settings of a store, and %s is none", s.name)
	}
	f.claim.Owner = cmp.Or(f.claim.Owner, defaultOwner())
	return nil
}

// asksForRecycled reports whether flags were typed that are only for recycled worker ids.
func (f *assignerFlags) asksForRecycled() bool {
	return f.order != "" || f.claim.Last > 0 || f.claim.AllowOtherLayouts
}

// recycled reports whether the way that was chosen gives worker ids back.
func (f *assignerFlags) recycled() bool { return f.name == leased }

// hint adds to an error what to type to avoid it.
func (f *assignerFlags) hint(err error) error {
	if errors.Is(err, worker.ErrStore) && !f.claim.AllowUnfenced {
		return fmt.Errorf("%w\nor take worker ids all the same with --allow-unfenced", err)
	}
	return err
}

// of returns the assigner that was chosen, for a generator.
func (f *assignerFlags) of(s *store, l uid.Layout, logger *slog.Logger) worker.Assigner {
	switch f.name {
	case static:
		return worker.Static(s.static)
	case disposable:
		return worker.Disposable(s.registrar(f.claim.AllowUnfenced))
	}
	c := f.claim
	c.Logger = logger
	switch f.order {
	case "adnc":
		c.Prefer, c.TTL = preset.OldestHeartbeat, 3*time.Minute
	case "leaf":
		c = preset.Leaf{}.Claim(c)
	case "raindrop":
		c = preset.Raindrop{Unit: l.Unit}.Claim(c)
	case "zk":
		c.Prefer = preset.LowestFree
	}
	return worker.Leased(s.leases, c)
}

// defaultOwner is the owner of the worker ids that uidbench takes on this machine.
func defaultOwner() string {
	host, err := machine.This.HostName()
	if err != nil {
		host = "localhost"
	}
	return "uidbench@" + host
}
