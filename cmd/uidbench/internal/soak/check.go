package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

// A logFile has the ids of one life of one process, which `uidbench verify` reads too.
type logFile struct {
	name string // to show
	path string
}

// lineBytes is what an id takes in a log: 19 digits and the end of the line.
const lineBytes = 20

func appendID(b []byte, id uid.ID) []byte { return fmt.Appendf(b, "%019d\n", id) }

// checkMemory is what ids are kept in: those of a soak take less than a byte each.
const checkMemory = 1 << 30

// checkLogs compares all ids of logs. One that its process was killed before it had
// written in whole does not count. A soak that was interrupted is checked to the end.
func checkLogs(logs []logFile, l uid.Layout) (idlog.Report, error) {
	var inputs []idlog.Input
	for _, log := range logs {
		info, err := os.Stat(log.path)
		if err == nil {
			err = os.Truncate(log.path, info.Size()/lineBytes*lineBytes)
		}
		if err != nil {
			return idlog.Report{}, fmt.Errorf("soak: checking the log %s: %w", log.path, err)
		}
		open := func() (io.ReadCloser, error) { return os.Open(log.path) }
		inputs = append(inputs, idlog.Input{Name: log.name, Open: open})
	}
	c := idlog.Config{Layout: l, Memory: checkMemory}
	r, err := idlog.Check(context.Background(), c, inputs)
	switch {
	case errors.Is(err, idlog.ErrEmpty):
		return r, nil
	case err != nil:
		return r, fmt.Errorf("soak: checking the logs, as `uidbench verify` can with more memory: %w",
			err)
	}
	return r, nil
}

func verdict(r idlog.Report) error {
	var errs []error
	if r.Duplicates > 0 {
		errs = append(errs, fmt.Errorf("%w: %d of them, the first: %v",
			ErrDuplicate, r.Duplicates, r.FirstDuplicates[0]))
	}
	if r.OutOfOrder > 0 {
		errs = append(errs, fmt.Errorf("%w: %d of them", ErrOrder, r.OutOfOrder))
	}
	return errors.Join(errs...)
}
