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

// A Recording is everything that a load has recorded: what its Report summarises, and
// what a Merger needs to make one report of several.
type Recording struct {
	report Report
	calls  *hdrhistogram.Histogram
	ages   []time.Duration
	ids    *seen // nil: not verified
}

// Report summarises the recording. The error wraps ErrDuplicate or ErrOrder if the ids
// are not as they should be.
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
		head.Pages = r.ids.Pages()
	}
	out := &countingWriter{Writer: w}
	err := json.NewEncoder(out).Encode(head)
	if err == nil && r.ids != nil {
		err = r.ids.WritePages(out)
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

// A Merger makes one report of the recordings of several processes that ran at the same
// time, each with its own worker id. It also looks for ids that two of them got.
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

// Add reads a recording that WriteTo wrote. After an error, what was read until then
// still counts; ids that could not be compared are UnverifiedIDs of the report.
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
		err = fmt.Errorf("%w: layouts %s and %s: all recordings need the same one", ErrConfig, head.Report.Layout, first)
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

// Report treats all recordings as one load:
//
//   - Seconds is the longest load time of any process, and IDsPerSecond and NSPerID are
//     computed from it and all ids
//   - AtomicAddNS is the cost of an add when each process adds to its own counter, since
//     processes share none
//   - Duplicates includes ids that two processes got
//   - Processes has a line for each
//
// The error is like that of [Recording.Report].
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
		total.VerifyBytes += m.ids.Bytes()
	}
	return total, wrongIDs(total)
}
