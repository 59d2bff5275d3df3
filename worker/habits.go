package worker

import (
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

// Raindrop chooses as raindrop does: the row with its own code, made of address,
// port, unit and hardware address, first; then the one that has been silent the
// longest, for two minutes at least. Bound the claim with First and Last for a
// data centre. In raindrop the row with its own code is taken even from a live
// process; here it is not.
func Raindrop(c Claim, port int, unit time.Duration) Claim {
	m := thisMachine()
	c.Order, c.TTL = OwnerOrOldest, 2*time.Minute
	c.Owner = fmt.Sprintf("%s#%d#%s#%s", m.host(), port, raindropUnit(unit), m.hardware())
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
