package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/soak"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// processName is the command of soak's processes, which nobody else types.
const processName = "soak-process"

// soakCommand starts this program as such a process. Its name is kept: it may go by several.
func soakCommand() *exec.Cmd {
	path, err := os.Executable()
	cmd := exec.Command(path, processName)
	cmd.Args[0], cmd.Err = os.Args[0], err // Start reports it
	return cmd
}

// soakSpec is what such a process has to know. It comes on stdin: URLs have passwords.
type soakSpec struct {
	Store         string        `json:"store"`
	Processes     int           `json:"processes"`
	AllowUnfenced bool          `json:"allow_unfenced"`
	TTL           time.Duration `json:"ttl"`
	Layout        uid.Layout    `json:"layout"`
}

// claim is for as many worker ids as there are processes.
func (p soakSpec) claim(logger *slog.Logger) worker.Claim {
	return worker.Claim{First: 1, Last: int64(p.Processes), AllowUnfenced: p.AllowUnfenced,
		TTL: p.TTL, Timeout: p.TTL / 3, Logger: logger}
}

func newSoakProcess() *cobra.Command {
	return &cobra.Command{
		Use:    processName,
		Short:  "A process of uidbench soak",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var p soakSpec
			closeStore := func() error { return nil }
			open := func(spec json.RawMessage) (worker.Assigner, uid.Config, error) {
				if err := json.Unmarshal(spec, &p); err != nil {
					return nil, uid.Config{}, err
				}
				s, err := openStore(p.Store)
				if err != nil {
					return nil, uid.Config{}, err
				}
				closeStore = s.close
				config := uid.Config{Layout: p.Layout, Logger: slog.New(slog.NewTextHandler(
					redacting{c.ErrOrStderr(), secretsOf(p.Store)}, nil))}
				if s.leases == nil { // nothing else keeps it from borrowing for ever
					config.AllowRepeats, config.MaxAhead = true, 2*p.TTL
					return worker.Static(s.static), config, nil
				}
				return worker.Leased(s.leases, p.claim(config.Logger)), config, nil
			}
			// An interrupt is for the supervisor, who then ends this one's stdin.
			err := soak.Process(context.WithoutCancel(c.Context()), os.Stdin, open)
			_ = closeStore() // all is said
			switch {
			case errors.Is(err, soak.ErrNoJob):
				return fmt.Errorf("this is not a command to type: type uidbench soak: %w", err)
			case err != nil:
				return errors.New(secretsOf(p.Store).Replace(err.Error()))
			}
			return nil
		},
	}
}
