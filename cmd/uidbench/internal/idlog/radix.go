package idlog

// sortEntries sorts entries by id and keeps the order of those with one id. The
// other slice is of the same length; the answer lies in either.
//
// It is the radix sort that begins with the least digit, here a byte (Knuth, The
// Art of Computer Programming, volume 3, 5.2.5, algorithm R). A pass that would
// move nothing is left out: ids of one log have their upper bytes in common, and
// with ids in order already there is nothing to do at all. Random ids take a third
// of the time of a sort that compares.
func sortEntries(entries, other []Entry) []Entry {
	if ascend(entries) {
		return entries
	}
	counts := countDigits(entries)
	for d := range counts {
		next, shift := &counts[d], 8*d
		if next[digit(entries[0], shift)] == len(entries) {
			continue
		}
		begin := 0
		for v, n := range next {
			next[v] = begin
			begin += n
		}
		for _, e := range entries {
			v := digit(e, shift)
			other[next[v]] = e
			next[v]++
		}
		entries, other = other, entries
	}
	return entries
}

// digits counts, for each of the eight digits, how often it has which value.
type digits [8][256]int

func countDigits(entries []Entry) *digits {
	var counts digits
	for _, e := range entries {
		for d := range counts {
			counts[d][digit(e, 8*d)]++
		}
	}
	return &counts
}

func digit(e Entry, shift int) byte { return byte(uint64(e.ID) >> shift) }

func ascend(entries []Entry) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i].ID < entries[i-1].ID {
			return false
		}
	}
	return true
}
