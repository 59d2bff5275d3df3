package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringuid/ringuid/bench"
)

// report is a bench.Report as it is read.
type report struct {
	bench.Report

	// Rounds tell a report from other JSON, as every report has some or [].
	Rounds *[]bench.Round `json:"rounds"`
}

// benchLines turns reports into the lines that the same runs would have given with
// --format bench. So both kinds of file have the same names, units and rounding,
// and compare with each other.
func benchLines(r io.Reader, name string) (io.Reader, error) {
	var lines strings.Builder
	decoder := json.NewDecoder(r)
	for n := 1; ; n++ {
		var j report
		err := decoder.Decode(&j)
		if err == io.EOF {
			return strings.NewReader(lines.String()), nil
		}
		if err != nil {
			return nil, jsonError(name, n, err)
		}
		if j.Rounds == nil {
			return nil, fmt.Errorf("%w: %s: object %d has no rounds: make it with `uidbench run --format json`, or with `go test -bench` without -json", ErrJSON, name, n)
		}
		j.Report.Rounds = *j.Rounds
		if err := bench.WriteBench(&lines, j.Report); err != nil {
			return nil, err
		}
	}
}

// jsonError says what is wrong with the nth report in terms of the file.
func jsonError(name string, n int, err error) error {
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %s: report %d is cut off at its end: run it again", ErrJSON, name, n)
	case errors.As(err, &mistyped) && mistyped.Field == "":
		return fmt.Errorf("%w: %s: a JSON %s instead of report %d: write reports one after the other, as `jq '.[]'` does with an array", ErrJSON, name, mistyped.Value, n)
	case errors.As(err, &mistyped):
		return fmt.Errorf("%w: %s: report %d has a JSON %s as its %s", ErrJSON, name, n, mistyped.Value, mistyped.Field)
	}
	return fmt.Errorf("%w: %s: report %d: %w", ErrJSON, name, n, err)
}
