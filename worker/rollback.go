package worker

import "sync"

// doubts are the layouts whose rows a claim has seen go back in time. The rows are deleted
// before the claim takes one of them: rows that are created after that begin above everything
// that may have been lost (I12). The zero value has none.
type doubts struct {
	mu     sync.Mutex
	counts map[string]int // of proofs, by layout; none when there is no doubt
}

// note records that the rows of a layout went back in time.
func (d *doubts) note(layout string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	d.counts[layout]++
}

// about is how many proofs there are that the rows of a layout must be deleted.
func (d *doubts) about(layout string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[layout]
}

// settle ends the doubt: the rows were deleted, by a call made when there were so many
// proofs. A proof that came since then may be of something that was lost later.
func (d *doubts) settle(layout string, proofs int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts[layout] == proofs {
		delete(d.counts, layout)
	}
}
