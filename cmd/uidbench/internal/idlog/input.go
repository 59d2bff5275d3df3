package idlog

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ringuid/ringuid/uid"
)

// An Input is a log to read.
type Input struct {
	Name string // to show
	Once bool   // it cannot be opened a second time
	Open func() (io.ReadCloser, error)
}

// ErrLine is wrapped for a line without an id.
var ErrLine = errors.New("bad line")

// eachID calls do with each id until one is an error. It ends when ctx does, even if the
// input is a pipe with nothing more to come. A name of a column is looked for in the first
// line.
func (in Input) eachID(ctx context.Context, column string, do func(uid.ID, Place) error) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	pipe, w := io.Pipe()
	defer pipe.Close()
	defer context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })()
	go func() {
		defer file.Close()
		_, err := io.Copy(w, file)
		w.CloseWithError(err) // nil: io.EOF
	}()
	// UTF-16, which Windows PowerShell makes of a redirected output, has a byte order mark.
	text := bufio.NewReader(transform.NewReader(pipe, unicode.BOMOverride(transform.Nop)))
	next, err := rowsOf(text)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	index, _ := strconv.Atoi(cmp.Or(column, "1")) // 0 of a name: the next row has it
	for {
		row, line, err := next()
		at := Place{in.Name, line}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", in.Name, err)
		case index == 0:
			if index = slices.Index(row, column) + 1; index == 0 {
				return fmt.Errorf("%v: %w: no column is named %q in %q", at, ErrLine, column, row)
			}
			continue
		}
		id, err := parse(row, index)
		if err != nil {
			return fmt.Errorf("%v: %w: %w", at, ErrLine, err)
		}
		if err := do(id, at); err != nil {
			return err
		}
	}
}

func parse(row []string, column int) (uid.ID, error) {
	if len(row) < column {
		return 0, fmt.Errorf("there is no column %d, only %d", column, len(row))
	}
	return uid.ParseID(strings.Trim(row[column-1], `" `)) // as jq prints it, in quotes
}
