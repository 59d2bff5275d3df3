package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/soak"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/subprocess"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// processName is the command of soak's processes, which nobody else types.
const processName = "soak-process"

// selfCommand starts this program with another command. Its name is kept: it may
// go by several.
func selfCommand(command string) *exec.Cmd {
	path, err := os.Executable()
	cmd := exec.Command(path, command)
	cmd.Args[0] = os.Args[0]
	if err != nil {
		cmd.Err = err // Start reports it
	}
	return cmd
}

// processSpec is what such a process has to know. It comes on stdin: URLs have
// passwords.
type processSpec struct {
	Store         string        `json:"store"`
	Proxy         string        `json:"proxy"`
	Namespace     string        `json:"namespace"`
	AllowUnfenced bool          `json:"allow_unfenced"`
	TTL           time.Duration `json:"ttl"`
	Layout        uid.Layout    `json:"layout"`
}

func (f *soakFlags) spec(s *store, proxy *soak.Proxy) processSpec {
	return processSpec{
		Store: s.url, Proxy: proxy.Name(), Namespace: f.namespace,
		AllowUnfenced: f.allowUnfenced, TTL: f.soak.TTL, Layout: f.soak.Layout,
	}
}

func newSoakProcess(stdout, stderr io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:    processName,
		Short:  "A process of uidbench soak",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			logger := slog.New(slog.NewTextHandler(stderr, nil))
			var s *store
			open := func(spec json.RawMessage) (a worker.Assigner, config uid.Config, err error) {
				var p processSpec
				if err := json.Unmarshal(spec, &p); err != nil {
					return nil, config, err
				}
				if s, a, err = p.open(logger); err != nil {
					return nil, config, err
				}
				return a, uid.Config{Layout: p.Layout, AllowRepeats: s.leases == nil, Logger: logger}, nil
			}
			// An interrupt is for the supervisor, who then ends this one's stdin.
			err := soak.Process(context.WithoutCancel(c.Context()), os.Stdin, stdout, open)
			if s != nil {
				_ = s.close() // all is said
			}
			if errors.Is(err, subprocess.ErrNoJob) {
				return fmt.Errorf("this is not a command to type: type uidbench soak: %w", err)
			}
			return err
		},
	}
}

// open is the store, through the proxy, and the way to get worker ids from it.
func (p processSpec) open(logger *slog.Logger) (*store, worker.Assigner, error) {
	s, err := openStoreBy(func(ctx context.Context, network, address string) (net.Conn, error) {
		return soak.DialThrough(ctx, p.Proxy, network, address)
	}, p.Store)
	if err != nil {
		return nil, nil, err
	}
	if s.leases == nil {
		return s, worker.Static(s.static), nil
	}
	return s, soaking{worker.Leased(s.leases, worker.Claim{
		Namespace: p.Namespace, AllowUnfenced: p.AllowUnfenced,
		TTL: p.TTL, Timeout: p.TTL / 3, Logger: logger,
	}), p.Namespace}, nil
}
