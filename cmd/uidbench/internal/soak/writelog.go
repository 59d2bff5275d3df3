package soak

// writeLog has the writes of all processes to the store, and what became of them.
type writeLog struct {
	writes   []*write
	outcomes map[string]outcome // by nonce
}

type outcome uint8

const (
	unknown outcome = iota
	missed          // a condition failed, nothing was written
	applied
)

// add enters an event of any process.
func (l *writeLog) add(e event) {
	switch e.Kind {
	case sent:
		l.writes = append(l.writes, e.Write)
	case answered:
		if l.outcomes == nil {
			l.outcomes = map[string]outcome{}
		}
		switch {
		case e.Applied:
			l.outcomes[e.Nonce] = applied
		case e.Error == "":
			l.outcomes[e.Nonce] = missed
		}
	}
}

// counts are of worker ids.
type counts struct {
	acquired  int64
	released  int64
	takeovers int64 // rows acquired that nobody had released
	writes    int64 // sent to the store, whatever became of them
}

func (l *writeLog) counts() (c counts) {
	expected := map[string]bool{}
	for _, w := range l.writes {
		expected[w.Expect] = true
	}
	for _, w := range l.writes {
		c.writes++
		// A nonce that somebody read or that was acknowledged has been in the row.
		if w.Raise || l.outcomes[w.Nonce] != applied && !expected[w.Nonce] {
			continue
		}
		switch {
		case w.Release:
			c.released++
		case w.Acquire:
			c.acquired++
			if w.Held {
				c.takeovers++
			}
		}
	}
	return c
}
