package plan

import (
	"fmt"

	"github.com/ringuid/ringuid/uid"
)

// Conflict is the error for requirements that no layout meets together.
type Conflict struct {
	// Need is the layout that comes nearest, in the unit that serves best. Its
	// bits are too many.
	Need uid.Layout

	// Recycled: they would fit if worker ids were recycled.
	Recycled bool
}

func (c *Conflict) Error() string {
	n, advice := c.Need, "ask for less of what takes the most"
	if c.Recycled {
		advice = "recycle worker ids (leased ones come back), or " + advice
	}
	return fmt.Sprintf("plan: nothing fits: time %d + worker %d + sequence %d are %d bits, with "+
		"ticks of %v, and an id has %d: %s",
		n.TimeBits, n.WorkerBits, n.SeqBits, bitsOf(n), n.Unit, idBits, advice)
}
