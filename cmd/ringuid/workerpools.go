package main

import (
	"fmt"
	"io"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/fingerprint"
	"github.com/ringuid/ringuid/internal/grants"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

const (
	held     = "held"
	expired  = "expired"
	released = "released"
	waiting  = "waiting"
	untaken  = "new"
)

func stateOf(v workerstore.View, r workerstore.Row) string {
	_, ahead := grants.NotBefore(v, r)
	switch {
	case r.Renewed.IsZero():
		return untaken
	case grants.Live(v, r):
		return held
	case ahead:
		return waiting
	case r.Held:
		return expired
	}
	return released
}

type pool struct {
	Layout      string `json:"layout"`
	Fingerprint string `json:"fingerprint"`
	Now         string `json:"now"` // by the store's clock
	// no new grant has ids before this; empty where the store keeps all that it acknowledged
	Floor    string   `json:"floor,omitempty"`
	Rows     int      `json:"worker_ids"`
	Held     int      `json:"held"`
	Expired  int      `json:"expired"`
	Released int      `json:"released"`
	Waiting  int      `json:"waiting"`
	New      int      `json:"new"`
	Holders  []holder `json:"holders"`
}

func describePool(v workerstore.View) pool {
	n := map[string]int{}
	for _, row := range v.Rows {
		n[stateOf(v, row)]++
	}
	p := pool{Layout: fingerprint.Layout(v.Layout), Fingerprint: v.Layout,
		Now: cli.FormatInstant(v.Now), Rows: len(v.Rows),
		Held: n[held], Expired: n[expired], Released: n[released],
		Waiting: n[waiting], New: n[untaken], Holders: []holder{}}
	if v.Floor != 0 {
		p.Floor = cli.FormatInstant(grants.Start(v.Pool, v.Floor))
	}
	return p
}

type holder struct {
	WorkerID     int64  `json:"worker_id"`
	State        string `json:"state"`
	Owner        string `json:"owner"`
	GrantedUntil string `json:"granted_until"`
	// how far GrantedUntil is ahead of the store's clock; if more than a window, a clock was wrong
	AheadSeconds float64 `json:"ahead_seconds"`
	WrongClock   bool    `json:"wrong_clock,omitempty"`
	Expires      string  `json:"expires"`
	Written      string  `json:"written"`
}

func describeHolder(v workerstore.View, r workerstore.Row, state string) holder {
	until := grants.Start(v.Pool, r.High).Add(v.Unit) // High may be the largest int64
	return holder{WorkerID: r.Worker, State: state, Owner: r.Owner,
		GrantedUntil: cli.FormatInstant(until), AheadSeconds: max(0, until.Sub(v.Now).Seconds()),
		WrongClock: grants.IsAhead(v, r) || r.Renewed.After(v.Now.Add(v.Slack)),
		Expires:    cli.FormatInstant(r.Expires), Written: cli.FormatInstant(r.Renewed)}
}

func (p *pool) writeText(w io.Writer, store string) {
	fmt.Fprintf(w, "layout %s in %s, at %s\n", p.Layout, store, p.Now)
	fmt.Fprintf(w, "%s: %d held, %d expired, %d released, %d waiting, %d new\n",
		cli.Count(int64(p.Rows), "worker id"), p.Held, p.Expired, p.Released, p.Waiting, p.New)
	if len(p.Holders) == 0 {
		return
	}
	fmt.Fprintln(w, "\nWORKER ID\tSTATE\tOWNER\tGRANTED UNTIL\tEXPIRES\tWRITTEN")
	for _, r := range p.Holders {
		why := ""
		if r.WrongClock {
			why = "\ta clock was wrong"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s%s\n", r.WorkerID, r.State, r.Owner, r.GrantedUntil,
			r.Expires, r.Written, why)
	}
	if taken := p.Rows - p.New; len(p.Holders) < taken {
		fmt.Fprintf(w, "\n%d of %d; --limit 0 lists all\n", len(p.Holders), taken)
	}
}
