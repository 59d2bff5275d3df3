package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// A Space is the record of all worker ids of one layout, which outlives its namespaces:
// two namespaces of a layout share its worker ids. A store keeps one Space for each
// fingerprint, changes it by compare-and-set of its Text, and never deletes it. The zero
// value is the record of a layout that was never used.
type Space struct {
	// Given are the worker ids that namespaces ever had. None is ever removed; it goes to
	// another namespace when the one that had it was deleted.
	Given []Range `json:"given,omitempty"`

	// Window is the longest that any namespace ever had, in milliseconds.
	Window int64 `json:"window_ms"`

	// Behind is the end, in milliseconds since the Unix epoch, of what
	// namespaces from before this record may have been granted.
	Behind int64 `json:"behind_ms,omitempty"`

	// Changes counts the changes, so that no two versions are equal: what was seen of the
	// namespaces under an earlier one may no longer hold.
	Changes int64 `json:"changes,omitempty"`
}

// ParseSpace reads a record; no text is the zero Space. An error wraps ErrStore:
// somebody else wrote it.
func ParseSpace(text string) (s Space, err error) {
	if text == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil || s.Window < 0 || s.Window > longestWindow.Milliseconds() {
		return s, fmt.Errorf("%w: the record of worker ids %q is not what Init wrote: restore it, "+
			"or delete it and make a namespace with InitOptions.Earlier", ErrStore, text)
	}
	return s, nil
}

// Text is the record as it is stored, in one way for equal records.
func (s Space) Text() string {
	text, _ := json.Marshal(s) // of such a type, always
	return string(text)
}

// Refuse is the error for a key that a process was given as its worker id, nil
// when no namespace has it. It wraps ErrOverlap.
func (s Space) Refuse(key int64) error {
	i := slices.IndexFunc(s.Given, func(r Range) bool { return r.overlaps(key, key) })
	if i < 0 {
		return nil
	}
	r := s.Given[i]
	return fmt.Errorf("%w: the key %d is among the worker ids %d to %d that namespace %q has: "+
		"let this process take one of those (worker.Leased), or have the keys count on from %d, if the layout holds more",
		ErrOverlap, key, r.First, r.Last, r.Namespace, r.Last+1)
}

// adopt takes in namespaces that are older than the record, and assumes that those which
// are gone were granted as far as any can be.
func (s Space) adopt(have []Namespace, o InitOptions, n Namespace, now time.Time) Space {
	for _, other := range have {
		if other.Fingerprint == n.Fingerprint {
			s.Given = append(s.Given, Range{Namespace: other.Name, First: other.First, Last: other.Last})
			s.Window = max(s.Window, other.longest())
		}
	}
	if !o.Fresh {
		s.Behind = now.Add(MaxWindow(n.Unit)).UnixMilli()
		if o.Earlier > 0 {
			s.Behind = now.Add(o.Earlier).UnixMilli()
		}
	}
	return s
}

// longest is the window in milliseconds.
func (n Namespace) longest() int64 { return n.Window * n.Unit.Milliseconds() }

// wants are the worker ids of n that are not its own yet.
func (s Space) wants(n Namespace) []Range {
	rest := []Range{{Namespace: n.Name, First: n.First, Last: n.Last}}
	for _, own := range s.Given {
		if own.Namespace == n.Name && !own.Making {
			rest = without(rest, own.First, own.Last, func(Range) bool { return true })
		}
	}
	return rest
}

// others are the namespaces, besides n, that have or had worker ids which n wants.
func (s Space) others(n Namespace) (names []string) {
	for _, r := range s.Given {
		for _, want := range s.wants(n) {
			if r.Namespace != n.Name && r.overlaps(want.First, want.Last) && !slices.Contains(names, r.Namespace) {
				names = append(names, r.Namespace)
			}
		}
	}
	return names
}

// reserve is the record in which n has its worker ids, before it is made. It wraps
// ErrOverlap when another namespace has some of them. live are the namespaces that
// exist: the worker ids of another one that does not are taken over.
func (s Space) reserve(n Namespace, o InitOptions, live map[string]Namespace) (Space, error) {
	wants := s.wants(n)
	if have, there := live[n.Name]; there && len(wants) == 0 && have.First <= n.First && n.Last <= have.Last {
		return s, nil
	}
	for _, want := range wants {
		for _, r := range s.Given {
			if r.Namespace == n.Name || !r.overlaps(want.First, want.Last) || o.Apart {
				continue
			}
			have, there := live[r.Namespace]
			if r.Making {
				return s, s.overlap(n, o, 0, fmt.Sprintf("namespace %q is being made with worker ids %d to %d, or its Init was broken off "+
					"(then do it again, with its own settings)", r.Namespace, r.First, r.Last))
			}
			if there && (Range{First: have.First, Last: have.Last}).overlaps(want.First, want.Last) {
				return s, s.overlap(n, o, 0, fmt.Sprintf("namespace %q has worker ids %d to %d", r.Namespace, have.First, have.Last))
			}
		}
	}
	s.Given = slices.Clone(s.Given)
	if !o.Apart {
		for _, want := range wants {
			s.Given = without(s.Given, want.First, want.Last, func(r Range) bool { return r.Namespace != n.Name })
		}
	}
	s.Window = max(s.Window, n.longest(), o.Earlier.Milliseconds())
	s.Given = give(s.Given, Range{Namespace: n.Name, First: n.First, Last: n.Last, Making: true})
	return s, nil
}

// reserveKeys is an error that wraps ErrOverlap when n wants worker ids among the
// keys from 1 to highest, which were given to one start of a process each.
func (s Space) reserveKeys(n Namespace, o InitOptions, highest int64) error {
	for _, want := range s.wants(n) {
		if first, last := max(want.First, 1), min(want.Last, highest); first <= last && !o.Apart {
			return s.overlap(n, o, highest, fmt.Sprintf("WORKER_NODE has given out the keys up to %d", highest))
		}
	}
	return nil
}

// settle is the record when n was made, of the worker ids that n still has. Of its
// others it is not known: an Init that was to make n with more may have been broken off.
func (s Space) settle(n Namespace) Space {
	for _, r := range s.Given {
		if r.Namespace == n.Name && r.Making && r.overlaps(n.First, n.Last) {
			s.Given = give(s.Given, Range{Namespace: n.Name, First: max(r.First, n.First), Last: min(r.Last, n.Last)})
		}
	}
	return s
}

// withdraw is the record when n was not made after all, and before is what it was:
// those have its worker ids who had them.
func (s Space) withdraw(n Namespace, before Space) Space {
	s.Given = without(s.Given, n.First, n.Last, func(r Range) bool { return r.Namespace == n.Name })
	for _, r := range before.Given {
		if r.overlaps(n.First, n.Last) {
			r.First, r.Last = max(r.First, n.First), min(r.Last, n.Last)
			s.Given = give(s.Given, r)
		}
	}
	return s
}

// start is the first tick that may be granted with worker ids of n that are made at now:
// behind whatever was granted with them, unless fresh says that nothing was.
func (s Space) start(n Namespace, slack time.Duration, fresh bool, now time.Time) int64 {
	if fresh {
		return n.TickAt(now)
	}
	end := now.Add(max(time.Duration(s.Window)*time.Millisecond, time.Duration(n.Window)*n.Unit))
	if behind := time.UnixMilli(s.Behind); behind.After(end) {
		end = behind
	}
	return n.TickAt(end) + SlackTicks(slack, n.Unit)
}

// ever: some worker id of n was given before, to whomever.
func (s Space) ever(n Namespace) bool {
	return slices.ContainsFunc(s.Given, func(r Range) bool { return r.overlaps(n.First, n.Last) })
}

// returns: have, which is to become n, gets worker ids that another had meanwhile, or
// that it is not known who had.
func (s Space) returns(n, have Namespace) bool {
	added := without([]Range{{First: n.First, Last: n.Last}}, have.First, have.Last, func(Range) bool { return true })
	for _, want := range added {
		for _, r := range s.Given {
			if (r.Namespace != n.Name || r.Making) && r.overlaps(want.First, want.Last) {
				return true
			}
		}
	}
	return false
}

// overlap is the error for n, with a range that is free.
func (s Space) overlap(n Namespace, o InitOptions, highest int64, who string) error {
	what := "and no other range of worker ids is free"
	if first, last, ok := s.free(n.Last-n.First+1, highest+1, o.MaxID); ok {
		what = fmt.Sprintf("%d to %d are free", first, last)
	}
	return fmt.Errorf("%w: %q is to have %d to %d of layout %s, but %s; %s; "+
		"if their ids never meet, as in tables of their own, InitOptions.Apart (--apart) allows it",
		ErrOverlap, n.Name, n.First, n.Last, n.Fingerprint, who, what)
}
