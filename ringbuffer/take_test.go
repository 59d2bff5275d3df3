package ringbuffer

// newRing is a ring of its own.
func newRing(slots, span, spacing int, counted int64) (*Ring, error) {
	r := new(Ring)
	return r, r.Init(slots, span, spacing, counted)
}

// take takes a number as package uid does, and is checked with the package's own
// functions.
func (r *Ring) take() (number int64, n int, low bool) {
	begun := r.Begin()
	number, ok := r.Number(begun)
	if ok {
		return number, 1, false
	}
	return r.Take(begun, 1)
}

// takeSpan takes up to limit numbers, as a batch does.
func (r *Ring) takeSpan(limit int) (first int64, n int, low bool) {
	return r.Take(Attempt{}, limit)
}
