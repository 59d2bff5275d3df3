// Package idlog checks logs of ids: for duplicates, and for order. It keeps
// ids in memory, in a set of package idset, which finds an id that occurs again. Each id is
// compared with the one before it in its input.
package idlog

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/internal/idset"
	"github.com/ringuid/ringuid/uid"
)

var (
	// ErrDuplicate is wrapped by Report.Verdict for duplicate ids.
	ErrDuplicate = errors.New("duplicate ids")

	// ErrEmpty is wrapped by Check when an input has no ids, and those of the others were checked.
	ErrEmpty = errors.New("there are no ids")

	// ErrMemory is wrapped by Check when ids do not fit in half of the memory that is free.
	ErrMemory = errors.New("too many ids")
)

// Check reads inputs and compares all their ids, most of which have this layout: others take more
// memory. It passes over lines without an id, and its
// error then wraps ErrLine, and says which is the first. Else it wraps ErrEmpty, or says which
// input cannot be read. Unless all inputs were read to their ends, the report is Interrupted,
// and has what was found until then.
func Check(ctx context.Context, l uid.Layout, inputs []Input) (r Report, err error) {
	return check(ctx, l, idset.Memory(), inputs)
}

func check(ctx context.Context, l uid.Layout, memory int64, inputs []Input) (r Report, err error) {
	r.Files = len(inputs)
	set := idset.New(l)
	var bad, none error
	for i := 0; i < len(inputs) && err == nil; i++ {
		previous, before := uid.ID(0), r.IDs
		err = inputs[i].eachLine(ctx, func(id uid.ID, at Place, failed error) error {
			if failed != nil {
				r.BadLines++
				bad = cmp.Or(bad, failed)
				return nil
			}
			if id <= previous && r.IDs > before {
				r.OutOfOrder++
			}
			previous = id
			r.IDs++
			if id < 0 {
				r.Negative++
			}
			if set.Add(id) {
				r.Duplicates++
				if len(r.FirstDuplicates) < Examples {
					r.FirstDuplicates = append(r.FirstDuplicates, Duplicate{int64(id), at})
				}
			}
			if set.Bytes() > memory {
				return fmt.Errorf("%w: the %s until %v take more than %s, half of the memory that is free: "+
					"check parts in which equal ids come together, such as those that end in 0 to 4, and "+
					"then those that end in 5 to 9", ErrMemory, humanize.Comma(r.IDs), at,
					humanize.IBytes(uint64(memory)))
			}
			return nil
		})
		if r.IDs == before {
			none = fmt.Errorf("%w in %s", ErrEmpty, inputs[i].Name)
		}
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	r.Interrupted = err != nil
	return r, cmp.Or(err, bad, none)
}

// An Input is a log to read.
type Input struct {
	Name string // to show
	Open func() (io.ReadCloser, error)
}

// ErrLine is wrapped by Check for a line without an id.
var ErrLine = errors.New("bad line")

// longest is the longest line, in bytes.
const longest = 1 << 20

// A mark at the beginning of a text says how it is written. UTF-8's is passed over.
const (
	utf8Mark = "\xef\xbb\xbf"
	utf16    = "\xff\xfe\xff" // either order
)

// eachLine calls do with the id that is the first word of each line, or with why there is none,
// until do returns an error. It ends when ctx does, even if the input is a pipe with nothing
// more to come.
func (in Input) eachLine(ctx context.Context, do func(uid.ID, Place, error) error) error {
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
			return cli.Usagef("%v: %w: longer than %d bytes", at, ErrLine, longest)
		case err != nil && err != io.EOF:
			return fmt.Errorf("%s: %w", in.Name, err) // the part of the line that was read may be half an id
		}
		text := string(line)
		if at.Line == 1 {
			if len(text) > 1 && strings.Contains(utf16, text[:2]) {
				return fmt.Errorf("%v: %w: this is UTF-16: convert it with iconv -f UTF-16 -t UTF-8", at,
					ErrLine)
			}
			text = strings.TrimPrefix(text, utf8Mark)
		}
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		word := strings.Trim(words[0], `"`) // as jq prints it, in quotes
		id, failed := uid.ParseID(word)
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && n < 0 {
			id, failed = uid.ID(n), nil
		} else if failed != nil {
			failed = cli.Usagef("%v: %w: %w\nthe first word of each line must be an id: leave a header "+
				"out with tail -n +2, pick ids with cut or jq, and type - for stdin", at, ErrLine, failed)
		}
		if failed := do(id, at, failed); failed != nil {
			return failed
		}
	}
	return nil
}
