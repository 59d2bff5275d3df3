package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ringuid/ringuid/uid"
)

// bounds are those of the ids of a time, as JSON shows them. To is not one of them.
type bounds struct {
	Layout string `json:"layout"`
	From   uid.ID `json:"from"`
	To     uid.ID `json:"to"`
}

// writeBounds prints the bounds of FROM..TO.
func writeBounds(w io.Writer, times string, layout layoutFlags, format string) error {
	first, last, found := strings.Cut(times, "..")
	if !found {
		return usagef("--bounds %q is not two times: type it like 2026-11-01..2026-12-01", times)
	}
	from, err := parseTime("--bounds", first)
	if err != nil {
		return err
	}
	to, err := parseTime("--bounds", last)
	if err != nil {
		return err
	}
	if !from.Before(to) {
		return usagef("--bounds %s: the second time must be after the first", times)
	}
	l := uid.SnowflakeLayout()
	if layout.given() {
		var err error
		if l, err = layout.named(); err != nil {
			return err
		}
	}
	b := bounds{Layout: l.String()}
	if b.From, err = l.MinID(from); err != nil {
		return usagef("--bounds %s: %w", first, err)
	}
	if b.To, err = l.MinID(to); err != nil {
		return usagef("--bounds %s: %w", last, err)
	}
	if format == "json" {
		return json.NewEncoder(w).Encode(b)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "layout\t%s\nfrom\t%d\t%s\nto\t%d\t%s\n", b.Layout,
		b.From, formatTime(from.UTC(), l.Unit), b.To, formatTime(to.UTC(), l.Unit))
	return t.Flush()
}
