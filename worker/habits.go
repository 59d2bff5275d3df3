package worker

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The ways in which other generators get a worker id, as preferences over the
// rows of a Store. Each keeps its original's habits of choosing and refreshing,
// and none of its dangers: they hand a live id to a second process, or an id to
// the next while the last one sleeps. They do not share keys or tables with
// fleets of the originals.

// Adnc chooses as Adnc does from its Redis ZSET: the id with the oldest heartbeat
// first, so that one that was never used comes before one that was given back,
// and a refresh every minute. With all ids live Adnc hands out the stalest of
// them; this is ErrAllHeld.
func Adnc(c Claim) Claim {
	c.Order, c.TTL = OldestHeartbeat, 3*time.Minute
	return c
}

// ZooKeeperGroup chooses as the ephemeral nodes under a ZooKeeper group are: the
// lowest free number of the namespace. After a lost session ids go on as far as
// they were granted, and no further; there the number is taken by the next while
// the last one still generates.
func ZooKeeperGroup(c Claim) Claim {
	c.Order = LowestFree
	return c
}

// Leaf chooses as Meituan's Leaf does: who listens at the same address and port
// gets the same id again, others one that nobody had; it reports every three
// seconds. Leaf refuses to start when its clock is behind the last report; here
// the grant begins behind the last one whatever the clock says. Leaf never gives
// an id to another address; here it does when none is left.
func Leaf(c Claim, port int) Claim {
	c.Order, c.TTL = SameOwner, 9*time.Second
	c.Owner = ownerOf(thisMachine().host(), port)
	return c
}

func ownerOf(host string, port int) string { return fmt.Sprintf("%s:%d", host, port) }

// RaindropOptions are those of raindrop that decide which worker id it gets.
type RaindropOptions struct {
	// Port is the service's, a part of its code.
	Port int

	// Unit is the length of the layout's tick. Zero: a second.
	Unit time.Duration

	// PriorityEqualCodeWorkID prefers the row with the own code, made of address,
	// port, unit and hardware address. As in raindrop, ticks of a minute and
	// longer ignore it.
	PriorityEqualCodeWorkID bool
}

// Raindrop chooses as raindrop does: the row that has been silent the longest,
// for as long as its unit asks: two minutes; three with ticks of a minute, an
// hour and two minutes with those of an hour, a day and two minutes with those of
// a day. Bound the claim with First and Last for a data centre. Raindrop takes the
// row with its own code even from a live process; here nobody does.
func Raindrop(c Claim, o RaindropOptions) Claim {
	o.Unit = cmp.Or(o.Unit, time.Second)
	m := thisMachine()
	c.Owner = fmt.Sprintf("%s#%d#%s#%s", m.host(), o.Port, raindropUnit(o.Unit), m.hardware())
	c.Order, c.TTL = OldestHeartbeat, 2*time.Minute
	switch {
	case o.Unit >= time.Minute:
		c.TTL += o.Unit
	case o.PriorityEqualCodeWorkID:
		c.Order = OwnerOrOldest
	}
	return c
}

// raindropUnit is the number that raindrop has for a unit, or the unit itself.
func raindropUnit(unit time.Duration) string {
	for i, u := range []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour, 24 * time.Hour} {
		if u == unit {
			return strconv.Itoa(i + 1)
		}
	}
	return unit.String()
}

// CachedInFile prefers the worker id that was written to a file at the last
// start, and writes down the one it gets. The file is a hint: it saves a walk
// over the rows, the store decides. A file that cannot be read or written is a
// line in the log.
func CachedInFile(c Claim, path string) Claim {
	log := c.withDefaults().Logger
	id, err := readHint(path)
	if err != nil && !os.IsNotExist(err) {
		log.Warn("the worker id of the last start cannot be read", "file", path, "reason", err)
	}
	next := c.withDefaults().Order
	c.Order = func(free []Row, c Claim) []Row {
		return sorted(next(free, c), func(a, b Row) int {
			return first(err == nil && a.Worker == id, err == nil && b.Worker == id)
		})
	}
	c.assigned = func(id int64) { writeHint(log, path, id) }
	return c
}

func readHint(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// writeHint replaces the file as a whole: half a number would be another one.
func writeHint(log *slog.Logger, path string, id int64) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err == nil {
		defer os.Remove(f.Name())
		if _, err = fmt.Fprintln(f, id); err == nil {
			err = f.Close()
		}
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
	}
	if err != nil {
		log.Warn("the worker id cannot be written down for the next start", "file", path, "reason", err)
	}
}
