package asynclog

import (
	"regexp"
	"time"
)

// Failure is a state that is logged once when it has lasted for a while, again when its
// reason changes, and once more when it is over. A failure that passes quickly is not
// logged at all: over a lossy network that would be a line for each lost packet.
type Failure struct {
	Patience time.Duration // how long it has to last
	Met      int           // how often it was met since the last End

	told   string        // the reason in the last line; "": none was logged
	next   time.Duration // the earliest moment of the next line
	pauses time.Duration // between lines about reasons, longer each time
}

// Meet notes that something failed at a moment, counted from any fixed one, and reports
// whether to log it.
func (f *Failure) Meet(now time.Duration, failed error) bool {
	if f.Met++; f.Met == 1 {
		f.next, f.pauses = now+f.Patience, f.Patience
	}
	reason := kind(failed)
	if now < f.next || reason == f.told {
		return false
	}
	f.told, f.next, f.pauses = reason, now+f.pauses, 2*f.pauses
	return true
}

// End notes that all is well again, and reports whether to log it.
func (f *Failure) End() bool {
	told := f.told != ""
	*f = Failure{Patience: f.Patience}
	return told
}

// kind returns an error's text without what differs each time: ports, times, sizes.
func kind(err error) string { return numbers.ReplaceAllString(err.Error(), "0") }

var numbers = regexp.MustCompile(`[0-9]+`)
