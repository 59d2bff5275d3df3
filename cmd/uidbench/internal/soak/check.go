package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
	"github.com/ringuid/ringuid/uid"
)

// lineBytes is what an id takes in a log: 19 digits and the end of the line.
const lineBytes = 20

func appendID(b []byte, id uid.ID) []byte { return fmt.Appendf(b, "%019d\n", id) }

// checkLogs compares all ids of the files. One that its process was killed before it had
// written in whole does not count. A soak that was interrupted is checked to the end.
func checkLogs(files []string, l uid.Layout) (idlog.Report, error) {
	var inputs []idlog.Input
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil {
			err = os.Truncate(file, info.Size()/lineBytes*lineBytes)
		}
		if err != nil {
			return idlog.Report{}, fmt.Errorf("soak: checking a log: %w", err)
		}
		inputs = append(inputs, idlog.Input{Name: filepath.Base(file),
			Open: func() (io.ReadCloser, error) { return os.Open(file) }})
	}
	r, err := idlog.Check(context.Background(), idlog.Config{Layout: l}, inputs)
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
	err := r.Verdict()
	if r.OutOfOrder > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %d of them", ErrOrder, r.OutOfOrder))
	}
	return err
}
