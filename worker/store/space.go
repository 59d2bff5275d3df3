package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ringuid/ringuid/internal/fingerprint"
)

// A Space is the record of all worker ids of one layout, which outlives its namespaces:
// two namespaces of a layout share its worker ids. A store keeps one Space for each
// fingerprint, changes it by compare-and-set of its Text, and never deletes it. The zero
// value is the record of a layout that was never used.
type Space struct {
	// Given are all worker ids that namespaces have ever had. None is removed; when a
	// namespace is deleted, another may be given its worker ids.
	Given []Range `json:"given,omitempty"`

	// Window is the longest that any namespace ever had, in milliseconds.
	Window int64 `json:"window_ms"`

	// GrantedUntil is the end, in milliseconds since the Unix epoch, of what
	// namespaces older than this record may have been granted.
	GrantedUntil int64 `json:"granted_until_ms,omitempty"`

	// Changes counts the changes, so that no two versions are equal: what was seen of the
	// namespaces under an earlier version may no longer hold.
	Changes int64 `json:"changes,omitempty"`
}

// ParseSpace reads a record; no text is the zero Space. An error wraps ErrStore:
// somebody else wrote it.
func ParseSpace(text string) (s Space, err error) {
	if text == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil || s.Window < 0 ||
		s.Window > longestWindow.Milliseconds() {
		return s, fmt.Errorf("%w: the record of worker ids %q is not what Init wrote: restore it, "+
			"or delete it and create a namespace with InitOptions.Earlier", ErrStore, text)
	}
	return s, nil
}

// Text is the record as it is stored. Equal records have equal texts.
func (s Space) Text() string {
	text, _ := json.Marshal(s) // a type that always can be
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
		"let this process take one of those (worker.Leased), or set the key counter to %d, if the "+
		"layout holds that many",
		ErrOverlap, key, r.First, r.Last, r.Namespace, r.Last+1)
}

// adopt adds the namespaces that are older than the record, and assumes that any that
// are gone were granted as far ahead as possible.
func (s Space) adopt(have []Namespace, o InitOptions, n Namespace, now time.Time) Space {
	for _, other := range have {
		if other.Fingerprint == n.Fingerprint {
			s.Given = append(s.Given, Range{Namespace: other.Name, First: other.First, Last: other.Last})
			s.Window = max(s.Window, other.longest())
		}
	}
	if !o.Fresh {
		s.GrantedUntil = now.Add(MaxWindow(n.Unit)).UnixMilli()
		if o.Earlier > 0 {
			s.GrantedUntil = now.Add(o.Earlier).UnixMilli()
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
			if r.Namespace != n.Name && r.overlaps(want.First, want.Last) &&
				!slices.Contains(names, r.Namespace) {
				names = append(names, r.Namespace)
			}
		}
	}
	return names
}

// reserve returns the record in which n has its worker ids, before it is created. The
// error wraps ErrOverlap when another namespace has some of them. live are the namespaces
// that exist: worker ids of one that no longer does are taken over.
func (s Space) reserve(n Namespace, o InitOptions, live map[string]Namespace) (Space, error) {
	wants := s.wants(n)
	if have, there := live[n.Name]; there && len(wants) == 0 && have.First <= n.First &&
		n.Last <= have.Last {
		return s, nil
	}
	for _, want := range wants {
		for _, r := range s.Given {
			if r.Namespace == n.Name || !r.overlaps(want.First, want.Last) || o.Apart {
				continue
			}
			have, there := live[r.Namespace]
			if r.Making {
				return s, s.overlap(n, o, 0,
					fmt.Sprintf("namespace %q is being created with worker ids %d to %d, or its Init was "+
						"interrupted "+
						"(then run it again, with the same settings)", r.Namespace, r.First, r.Last))
			}
			if there && (Range{First: have.First, Last: have.Last}).overlaps(want.First, want.Last) {
				return s, s.overlap(n, o, 0, fmt.Sprintf("namespace %q has worker ids %d to %d", r.Namespace,
					have.First, have.Last))
			}
		}
	}
	s.Given = slices.Clone(s.Given)
	if !o.Apart {
		for _, want := range wants {
			s.Given = without(s.Given, want.First, want.Last,
				func(r Range) bool { return r.Namespace != n.Name })
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
			return s.overlap(n, o, highest, fmt.Sprintf("WORKER_NODE has given out the keys up to %d",
				highest))
		}
	}
	return nil
}

// settle returns the record after n was created, for the worker ids that n still has.
// About its others nothing is known: an Init that was to add more may have been interrupted.
func (s Space) settle(n Namespace) Space {
	for _, r := range s.Given {
		if r.Namespace == n.Name && r.Making && r.overlaps(n.First, n.Last) {
			s.Given = give(s.Given, Range{Namespace: n.Name, First: max(r.First, n.First),
				Last: min(r.Last, n.Last)})
		}
	}
	return s
}

// withdraw returns the record when n was not created after all: its worker ids belong
// to whom they belonged before.
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

// start is the first tick that may be granted with worker ids of n that are created at now:
// above whatever was granted with them, unless fresh says that nothing was.
func (s Space) start(n Namespace, slack time.Duration, fresh bool, now time.Time) int64 {
	if fresh {
		return n.TickAt(now)
	}
	end := now.Add(max(time.Duration(s.Window)*time.Millisecond, time.Duration(n.Window)*n.Unit))
	if until := time.UnixMilli(s.GrantedUntil); until.After(end) {
		end = until
	}
	return n.TickAt(end) + SlackTicks(slack, n.Unit)
}

// ever reports whether some worker id of n was given out before, to any namespace.
func (s Space) ever(n Namespace) bool {
	return slices.ContainsFunc(s.Given, func(r Range) bool { return r.overlaps(n.First, n.Last) })
}

// returns reports whether have, in becoming n, gets back worker ids that another may have
// had in between.
func (s Space) returns(n, have Namespace) bool {
	added := without([]Range{{First: n.First, Last: n.Last}}, have.First, have.Last,
		func(Range) bool { return true })
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
	return fmt.Errorf("%w: %q asks for %d to %d of layout %s, but %s; %s; "+
		"if their ids can never meet, because they are kept in separate tables, say so with "+
		"InitOptions.Apart (--apart)",
		ErrOverlap, n.Name, n.First, n.Last, fingerprint.Layout(n.Fingerprint), who, what)
}
