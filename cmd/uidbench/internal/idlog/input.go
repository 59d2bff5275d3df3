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
)

// An Input is a log to read.
type Input struct {
	Name string // to show
	Size int64  // in bytes; 0: not known
	Open func() (io.ReadCloser, error)
}

const (
	blockBytes = 256 << 10
	blocks     = 4       // that are read ahead
	longest    = 1 << 20 // line, in bytes
)

// A stream reads an input in a goroutine of its own, which also unpacks it: half
// the work where it is compressed. A reader that waits for ever, as one of a pipe
// may, holds nobody up: when ctx ends, Read does.
type stream struct {
	ctx  context.Context
	full chan block
	free chan []byte
	quit chan struct{}

	now   block
	rest  []byte
	reads int // blocks that came
}

// block is what was read at once, and what ended the reading.
type block struct {
	bytes []byte
	err   error
}

// openStream counts in read the bytes as they are in the file.
func openStream(ctx context.Context, in Input, read *atomic.Int64) (*stream, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	s := &stream{
		ctx:  ctx,
		full: make(chan block, blocks),
		free: make(chan []byte, blocks),
		quit: make(chan struct{}),
	}
	for range blocks {
		s.free <- make([]byte, blockBytes)
	}
	go func() {
		defer file.Close()
		s.fill(&counter{file, read})
	}()
	return s, nil
}

func (s *stream) fill(file io.Reader) {
	in, err := unpacked(file)
	if err != nil {
		s.full <- block{nil, err}
		return
	}
	for err == nil {
		var b []byte
		select {
		case b = <-s.free:
		case <-s.quit:
			return
		}
		var n int
		n, err = in.Read(b)
		s.full <- block{b[:n], err} // there is room for all that there are
	}
}

// Read is an io.Reader's.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.now.err != nil {
			return 0, s.now.err
		}
		if s.now.bytes != nil {
			s.free <- s.now.bytes[:blockBytes]
		}
		if err := s.wait(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// wait waits for the next block. The first one is taken if it is there, whatever the
// context says.
func (s *stream) wait() error {
	if s.reads > 0 && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	select {
	case s.now = <-s.full:
	default:
		select {
		case s.now = <-s.full:
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
	s.rest = s.now.bytes
	s.reads++
	return nil
}

// close ends the reading. It waits for nothing: there may be nothing to come.
func (s *stream) close() { close(s.quit) }

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

// packings that are known by how they begin, and not unpacked here.
var packings = [...]struct{ magic, name, unpacker string }{
	{"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
	{"BZh", "bzip2", "bzip2 -dc"},
	{"\xfd7zXZ\x00", "xz", "xz -dc"},
	{"PK\x03\x04", "zip", "unzip -p"},
}

// unpacked returns the text of a file, whether it is compressed with gzip or not.
func unpacked(file io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(file, blockBytes)
	head, err := in.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return decoded(bufio.NewReaderSize(z, blockBytes))
	}
	for _, p := range packings {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return nil, fmt.Errorf("%w: it is compressed with %s: unpack it into a pipe, with %s and - for the file", ErrFormat, p.name, p.unpacker)
		}
	}
	return decoded(in)
}

// decoded returns a text in UTF-8, without a byte order mark. UTF-16 has one, when a
// Windows shell wrote it.
func decoded(in *bufio.Reader) (io.Reader, error) {
	head, _ := in.Peek(3) // what is wrong with it is wrong again when it is read
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, err := in.Discard(3)
		return in, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(in), nil
	}
	return in, nil
}

// lines are those of a stream.
type lines struct{ in *bufio.Reader }

func newLines(s *stream) lines { return lines{bufio.NewReaderSize(s, longest)} }

var errLong = fmt.Errorf("%w: it is longer than %d bytes", ErrLine, longest)

// next returns the next line, without its end, until next is called again. The last
// one need not have an end. A line that is too long is skipped, and errLong.
func (l lines) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	switch {
	case err == nil:
		return line[:len(line)-1], nil
	case err == io.EOF && len(line) > 0:
		return line, nil
	case !errors.Is(err, bufio.ErrBufferFull):
		return nil, err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	return nil, errLong
}
