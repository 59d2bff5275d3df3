package bench

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// A Recording is all that a load has recorded: what its Report sums up, and what a
// Merger needs to make one report of several.
type Recording struct {
	report Report
	calls  *hdrhistogram.Histogram
	ages   []time.Duration
	ids    *seen // nil: not verified
}

// Report sums the recording up. The error wraps ErrDuplicate or ErrOrder when the ids
// are not what they should be.
func (r *Recording) Report() (Report, error) { return r.report, wrongIDs(r.report) }

// recordingHead is what a recording begins with, as one line of JSON. The pages of its
// ids follow in binary.
type recordingHead struct {
	Report Report                 `json:"report"`
	Calls  *hdrhistogram.Snapshot `json:"calls"`
	Ages   []time.Duration        `json:"ages,omitempty"`
	Pages  int                    `json:"pages,omitempty"`
}

// WriteTo writes the recording for a Merger in another process, of the same version of
// this package.
func (r *Recording) WriteTo(w io.Writer) (int64, error) {
	head := recordingHead{Report: r.report, Calls: r.calls.Export(), Ages: r.ages}
	if r.ids != nil {
		head.Pages = r.ids.pages
	}
	out := &countingWriter{Writer: w}
	err := json.NewEncoder(out).Encode(head)
	if err == nil && r.ids != nil {
		err = r.ids.writePages(out)
	}
	return out.n, err
}

// countingWriter counts the bytes that it writes.
type countingWriter struct {
	io.Writer
	n int64
}

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.n += int64(n)
	return n, err
}

// A Merger makes one report of recordings of the same time: of several processes, each
// with a worker id of its own. It also looks for ids that two of them got.
type Merger struct {
	// VerifyMemory bounds what is kept of ids, in bytes. Zero: a quarter of what the
	// machine has available, or 512 MiB where that cannot be told.
	VerifyMemory int64

	reports []Report
	calls   *hdrhistogram.Histogram
	ages    []time.Duration

	ids      *seen // nil: not verified
	failed   bool  // an Add has: no more ids are compared
	compared int64
	took     time.Duration // to compare them
}

// Add reads a recording that WriteTo wrote. Whatever its error is, what was read until
// then counts; ids that could not be compared are UnverifiedIDs of the report.
func (m *Merger) Add(r io.Reader) error {
	in := bufio.NewReader(r)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("bench: reading a recording: %w", noEOF(err))
	}
	var head recordingHead
	if err := json.Unmarshal(line, &head); err != nil {
		return fmt.Errorf("bench: reading a recording: %w", err)
	}
	if m.calls == nil {
		m.calls = newHistogram()
	}
	if head.Calls != nil {
		m.calls.Merge(hdrhistogram.Import(head.Calls))
	}
	m.ages = append(m.ages, head.Ages...)
	m.reports = append(m.reports, head.Report)
	if first := m.reports[0].Layout; head.Report.Layout != first {
		err = fmt.Errorf("%w: layout %s beside %s: all need the same one", ErrConfig, head.Report.Layout, first)
	}
	return errors.Join(err, m.compare(in, head))
}

// compare looks for ids that were in a recording before.
func (m *Merger) compare(in io.Reader, head recordingHead) error {
	if head.Report.Duplicates == nil || m.failed {
		return nil
	}
	clock := newClock()
	if m.ids == nil {
		layout, err := uid.ParseLayout(head.Report.Layout)
		if err != nil {
			return fmt.Errorf("bench: reading a recording: %w", err)
		}
		m.ids = newSeen(cmp.Or(m.VerifyMemory, defaultVerifyMemory()/2), layout)
	}
	if err := m.ids.readPages(in, head.Pages); err != nil {
		m.failed = true
		return fmt.Errorf("bench: reading the ids of a recording: %w", noEOF(err))
	}
	m.compared += head.Report.IDs - head.Report.UnverifiedIDs
	m.took += clock.now()
	return nil
}

// noEOF: the end of a recording before its time is not what ends a loop.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Report is of all recordings as of one load:
//
//   - Seconds is the load time of the one that had the longest, and IDsPerSecond and
//     NSPerID are all ids and that time
//   - AtomicAddNS is what an add costs when each process adds to a counter of its own
//     and the adds of all count: they share none
//   - Duplicates are also ids that two of them got
//   - Processes has a line for each
//
// The error is that of Recording.Report.
func (m *Merger) Report() (Report, error) {
	if len(m.reports) == 0 {
		return Report{}, nil
	}
	total := merge(m.reports)
	total.Latency, total.LatencySamples = latencyOf(m.calls), m.calls.TotalCount()
	total.Age = ageOf(m.ages)
	if len(m.reports[0].Percentiles) > 0 {
		total.Percentiles = percentilesOf(m.calls)
	}
	if m.ids != nil {
		total.UnverifiedIDs = total.IDs - m.compared
		duplicates := *total.Duplicates + m.ids.duplicates
		total.Duplicates = &duplicates
		total.FirstDuplicates = firstOf(append(total.FirstDuplicates, m.ids.first...))
		total.VerifySeconds += m.took.Seconds()
		total.VerifyBytes += m.ids.bytes()
	}
	return total, wrongIDs(total)
}
