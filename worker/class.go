package worker

import "fmt"

// Class says what the uniqueness of a worker id depends on.
type Class uint8

const (
	// Unfenced: the caller guarantees that nobody else has the worker id at the same
	// time, and that a restart, on this machine or another, does not find the clock
	// set back. Then no id is duplicated: a generator uses only ticks that begin after
	// it got the worker id, and none before it begins. So its first id waits for the
	// next tick, it borrows nothing from the future, and it refuses ticks of more than
	// five seconds, unless uid.Config.AllowRepeats takes the risk.
	Unfenced Class = iota
	// FencedLossy: a recycled worker id, fenced by a store that may lose acknowledged
	// writes when it fails over. Uniqueness also depends on the clocks of two servers
	// differing by a bounded amount.
	FencedLossy
	// Fenced: a recycled worker id, fenced by a store that keeps what it acknowledged.
	// Uniqueness depends on no clock.
	Fenced
	// NeverReused: a new worker id for each start. Uniqueness depends on the store
	// keeping the rows that it acknowledged.
	NeverReused
)

var classNames = [...]string{"Unfenced", "FencedLossy", "Fenced", "NeverReused"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// MarshalText lets reports and logs show the name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
