package idlog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// An Input is a log to read.
type Input struct {
	Name string // to show
	Open func() (io.ReadCloser, error)
}

// ErrLine is wrapped for a line without an id.
var ErrLine = errors.New("bad line")

// longest line, in bytes.
const longest = 1 << 20

// eachID calls do with the first word of each line, an id, until one is an error. It ends
// when ctx does, even if the input is a pipe with nothing more to come.
func (in Input) eachID(ctx context.Context, do func(uid.ID, Place) error) error {
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
	lines, at := bufio.NewReaderSize(pipe, longest), Place{File: in.Name}
	for err == nil {
		var line []byte
		line, err = lines.ReadSlice('\n')
		at.Line++
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("%v: %w: longer than %d bytes", at, ErrLine, longest)
		case err != nil && err != io.EOF:
			return fmt.Errorf("%s: %w", in.Name, err) // what there is of the line may be half an id
		}
		words := strings.Fields(string(line))
		if len(words) == 0 {
			continue
		}
		id, failed := uid.ParseID(strings.Trim(words[0], `"`)) // as jq prints it, in quotes
		if failed != nil {
			return fmt.Errorf("%v: %w: %w", at, ErrLine, failed)
		}
		if failed := do(id, at); failed != nil {
			return failed
		}
	}
	return nil
}
