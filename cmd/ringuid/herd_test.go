package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/internal/storeurl"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Copies of a machine that ask for a worker id at once, all with one owner, each get one of their
// own in the time that they have. `make starts` has 200 processes, and 1,000 goroutines of one.
func TestAHerdOfCopies(t *testing.T) {
	copies, _ := strconv.Atoi(os.Getenv("UID_HERD"))
	copies = max(copies, 6)
	for name, start := range map[string]func(testing.TB, ...testserver.Option) *testserver.Server{
		"PostgreSQL": testserver.Postgres, "Redis": testserver.Redis,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := []testserver.Option{testserver.Durable()}
			if name == "PostgreSQL" { // each process keeps up to two connections
				options = append(options, testserver.Args("-c", "max_connections=600"))
			}
			url := start(t, options...).URL()
			startHerd(t, url, 1, 1) // it creates the rows
			startHerd(t, url, copies, 1)
			startHerd(t, url, 1, 5*copies)
		})
	}
}

// started is one that has a worker id, or none.
type started struct {
	Worker        int64
	After         time.Duration
	Error         string
	Calls, InVain int64 // to the store
}

// startHerd starts so many processes with so many goroutines each, opens the gate, and returns when
// all have a worker id.
func startHerd(t *testing.T, url string, processes, goroutines int) {
	var mu sync.Mutex
	var all []started
	var done, ready sync.WaitGroup
	gate := make(chan struct{})
	for range processes {
		cmd := exec.CommandContext(t.Context(), "herd", url, strconv.Itoa(goroutines))
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		cmd.Stderr = os.Stderr
		require.NoError(t, cmd.Start())
		ready.Add(1)
		done.Go(func() {
			lines := bufio.NewScanner(out)
			lines.Scan()
			ready.Done()
			<-gate
			io.WriteString(in, "go\n")
			for range goroutines {
				var s started
				lines.Scan()
				assert.NoError(t, json.Unmarshal(lines.Bytes(), &s))
				mu.Lock()
				all = append(all, s)
				mu.Unlock()
			}
		})
		t.Cleanup(func() { in.Close(); cmd.Wait() })
	}
	ready.Wait()
	close(gate)
	done.Wait()
	has := map[int64]bool{}
	var after []time.Duration
	var calls, inVain int64
	var vain []string
	for _, s := range all {
		if has[s.Worker] = true; s.Error != "" {
			vain = append(vain, s.Error)
		}
		after, calls, inVain = append(after, s.After), calls+s.Calls, inVain+s.InVain
	}
	slices.Sort(after)
	t.Logf("%d processes, %d goroutines each: half have a worker id after %v, all after %v; "+
		"%d calls, %d of them in vain", processes, goroutines, after[len(after)/2],
		after[len(after)-1], calls, inVain)
	if len(vain) > 0 {
		t.Fatalf("%d have none; one says: %s", len(vain), vain[0])
	}
	require.Len(t, has, processes*goroutines)
}

// herd is a process of it.
func herd() {
	var leases raised
	if strings.HasPrefix(os.Args[1], "postgres") {
		db, err := sqlstore.Open("pgx", os.Args[1])
		if err != nil {
			panic(err)
		}
		leases = db.Store.(raised)
	} else {
		s, err := storeurl.Open(os.Args[1], "")
		if err != nil {
			panic(err)
		}
		leases = s.Leases.(raised)
	}
	n, _ := strconv.Atoi(os.Args[2])
	fmt.Println("ready")
	in := bufio.NewReader(os.Stdin)
	in.ReadString('\n')
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var mu sync.Mutex
	for begin := time.Now(); n > 0; n-- {
		go func() {
			c := &counted{raised: leases}
			quiet := slog.New(slog.DiscardHandler)
			l, err := worker.Leased(c, worker.Claim{Owner: "copy", Logger: quiet}).Assign(ctx,
				uid.SnowflakeLayout().Need())
			r := started{After: time.Since(begin), Calls: c.calls.Load(), InVain: c.inVain.Load()}
			if err != nil {
				r.Error = err.Error()
			} else {
				r.Worker = l.WorkerID()
			}
			mu.Lock()
			defer mu.Unlock()
			json.NewEncoder(os.Stdout).Encode(r)
		}()
	}
	in.ReadString('\n')
	os.Exit(0)
}

type raised interface {
	store.Store
	store.Raiser
}

// counted counts the calls of a start.
type counted struct {
	raised
	calls, inVain atomic.Int64
}

func (c *counted) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := c.raised.View(ctx, p, first, last)
	c.count(true, err)
	return v, err
}

func (c *counted) Write(ctx context.Context, w store.Write) (bool, error) {
	applied, err := c.raised.Write(ctx, w)
	c.count(applied, err)
	return applied, err
}

func (c *counted) count(applied bool, err error) {
	if c.calls.Add(1); !applied || err != nil {
		c.inVain.Add(1)
	}
}
