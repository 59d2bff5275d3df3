package failover

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Scheme is a way to get worker ids, whoever's it is: the assigner of a process that
// finds its server at addr, on a machine with this clock.
type Scheme func(t *testing.T, addr string, machine clock.Clock) worker.Assigner

// Fleet is processes that get their worker ids by one scheme. Nothing is known of it but
// the ids that come of it. The methods are for the test's goroutine.
type Fleet struct {
	t      *testing.T
	server string
	scheme Scheme
	begin  time.Time
	all    []*Process
}

// NewFleet has no process yet. Those that start find the server at addr.
func NewFleet(t *testing.T, addr string, s Scheme) *Fleet {
	return &Fleet{t: t, server: addr, scheme: s, begin: time.Now()}
}

// FleetLayout is that of a Fleet's ids.
var FleetLayout = layoutOf(10 * time.Millisecond)

// Process is a process of a Fleet.
type Process struct {
	*takers
	of           *Fleet
	way          *testserver.Proxy // its connections
	paused, left bool
}

// Start starts a process, and waits until it has a worker id.
func (f *Fleet) Start() *Process { return f.StartOn(clock.Real()) }

// StartOn starts a process on a machine with this clock.
func (f *Fleet) StartOn(machine clock.Clock) *Process {
	f.t.Helper()
	way := testserver.NewProxy(f.t, f.server)
	return f.run(way, generator(f.t, f.scheme(f.t, way.Addr(), machine), config(machine)))
}

// TryStart starts a process, unless there is no worker id for it at once.
func (f *Fleet) TryStart() (*Process, error) {
	f.t.Helper()
	way, machine := testserver.NewProxy(f.t, f.server), clock.Real()
	gen, err := uid.NewCached(f.t.Context(), f.scheme(f.t, way.Addr(), machine), config(machine))
	if err != nil {
		return nil, err
	}
	return f.run(way, gen), nil
}

func config(machine clock.Clock) uid.Config {
	return uid.Config{Layout: FleetLayout, Now: machine.Wall, Logger: slog.New(slog.DiscardHandler)}
}

func (f *Fleet) run(way *testserver.Proxy, gen *uid.CachedGenerator) *Process {
	p := &Process{takers: take(gen, FleetLayout), of: f, way: way}
	f.all = append(f.all, p)
	f.t.Cleanup(p.Leave)
	return p
}

// Turn has all processes find another server at the address that they know.
func (f *Fleet) Turn(server string) {
	f.server = server
	for _, p := range f.all {
		p.way.Turn(server)
	}
}

// After is the tick in which a time from now lies.
func After(d time.Duration) int64 {
	return time.Now().Add(d).UnixMilli() / FleetLayout.Unit.Milliseconds()
}

// Duplicates ends all processes, and returns the ids that came twice.
func (f *Fleet) Duplicates() (twice []uid.ID) {
	f.t.Helper()
	var all []*takers
	for _, p := range f.all {
		p.Leave()
		all = append(all, p.takers)
	}
	twice, n := duplicates(f.t, all)
	f.t.Logf("%d ids of %d processes in %.1f s, %d of them twice", n, len(all), time.Since(f.begin).Seconds(), len(twice))
	return twice
}

// Reaches waits until ids of a tick after this one were taken.
func (p *Process) Reaches(tick int64) {
	p.of.t.Helper()
	until(p.of.t, 5*time.Millisecond, "ids of a later tick", func() error { return p.reached(tick) })
}

// CutOff takes its connections away, until Mend.
func (p *Process) CutOff() { p.way.Drop() }

// Mend ends CutOff.
func (p *Process) Mend() { p.way.Pass() }

// Pause stops it, until Resume: it takes no id, and what it sends and what is sent to it
// waits.
func (p *Process) Pause() {
	p.pause.Lock()
	p.paused = true
	p.way.Hang()
}

// Resume ends Pause.
func (p *Process) Resume() {
	if p.paused {
		p.paused = false
		p.way.Pass()
		p.pause.Unlock()
	}
}

// Leave ends it in good order.
func (p *Process) Leave() {
	if !p.left {
		p.left = true
		p.Resume()
		p.end()
	}
}
