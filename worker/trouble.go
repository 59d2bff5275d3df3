package worker

import (
	"regexp"
	"time"
)

// trouble is a state that is told in a line when it has lasted, in another when its
// reason has changed, and in a last one when it is over. What passes by itself is not
// told at all: over a lossy network that would be a line for each lost packet.
type trouble struct {
	patience time.Duration // how long it has to last

	met    bool
	told   string        // the reason in the last line; "": it was not told
	next   time.Duration // the earliest moment of a next line
	pauses time.Duration // between lines about reasons, longer each time
}

// meet notes a failure at a moment; true: tell it.
func (t *trouble) meet(now time.Duration, failed error) bool {
	if !t.met {
		t.met, t.next, t.pauses = true, now+t.patience, t.patience
	}
	reason := kind(failed)
	if now < t.next || reason == t.told {
		return false
	}
	t.told, t.next, t.pauses = reason, now+t.pauses, 2*t.pauses
	return true
}

// end notes that all is well again; true: tell it.
func (t *trouble) end() bool {
	told := t.told != ""
	*t = trouble{patience: t.patience}
	return told
}

// kind is an error's text without what differs each time: ports, times, sizes.
func kind(err error) string { return numbers.ReplaceAllString(err.Error(), "0") }

var numbers = regexp.MustCompile(`[0-9]+`)
