package idlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// An Input is a log to read.
type Input struct {
	Name string // to show
	Size int64  // in bytes; 0: not known
	Once bool   // it cannot be opened a second time
	Open func() (io.ReadCloser, error)
}

const longest = 1 << 20 // line, in bytes

// eachLine calls do with each line, without its end, until one is an error. It ends
// when ctx does, even if the input is a pipe with nothing more to come.
func (in Input) eachLine(ctx context.Context, read *atomic.Int64, do func([]byte) error) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	pipe, w := io.Pipe()
	defer pipe.Close()
	defer context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })()
	go func() {
		defer file.Close()
		_, err := io.Copy(w, &counter{file, read})
		w.CloseWithError(err) // nil: io.EOF
	}()
	text, err := unpacked(pipe)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	for lines, n := bufio.NewReaderSize(text, longest), 0; ; n++ {
		line, err := lines.ReadSlice('\n')
		switch {
		case err == io.EOF && len(line) > 0: // the last one need not have an end
		case err == io.EOF:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("%s:%d: %w: longer than %d bytes", in.Name, n+1, ErrLine, longest)
		case err != nil:
			return fmt.Errorf("%s, after line %d: %w", in.Name, n, err)
		}
		if err := do(bytes.TrimRight(line, " \t\r\n")); err != nil {
			return err
		}
	}
}

// counter counts the bytes that it reads.
type counter struct {
	io.Reader
	n *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// unpacked returns the text of a file, whether it is compressed with gzip or not, in UTF-8,
// without a byte order mark. UTF-16 has one, when a Windows shell wrote it.
func unpacked(file io.Reader) (io.Reader, error) {
	in := bufio.NewReader(file)
	var text io.Reader = in
	// What is wrong with the beginning is wrong again when it is read.
	if head, _ := in.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		text = z
	}
	return transform.NewReader(text, unicode.BOMOverride(transform.Nop)), nil
}
