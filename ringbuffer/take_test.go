package ringbuffer

// newRing is a ring of its own.
func newRing(slots, span, spacing int, counted int64) (*Ring, error) {
	r := new(Ring)
	return r, r.Init(slots, span, spacing, counted)
}

// take takes a number as package uid does, and is checked with the package's own
// functions.
func (r *Ring) take() (number int64, ok, low bool) {
	c := r.Begin()
	if r.Held(c) {
		return r.Number(c), true, false
	}
	return r.Finish(c)
}
