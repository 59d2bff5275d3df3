package store

import (
	"fmt"
	"slices"
	"strings"
)

// Class says what the uniqueness of a worker id rests on.
type Class uint8

const (
	// Unfenced: the caller vouches that nobody else has the worker id at the same
	// time, and that the clock, or that of the next machine, is not set back across
	// a restart. Then nothing comes twice: generators mint only ticks that begin
	// after they got the worker id, and none before it begins. The first id waits
	// for the next tick, nothing is borrowed, and ticks of more than five seconds
	// are refused, unless uid.Config.AllowRepeats takes the risk.
	Unfenced Class = iota
	// FencedLossy: recycled behind a fence in a store that may lose
	// acknowledged writes when it fails over; rests on one bounded clock term.
	FencedLossy
	// Fenced: recycled behind a fence in a store that keeps what it
	// acknowledged. Rests on no clock.
	Fenced
	// NeverReused: a new id for each start. Rests on the store keeping the rows
	// that it acknowledged.
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

// UnmarshalText reads what MarshalText writes. Other text is an error.
func (c *Class) UnmarshalText(text []byte) error {
	i := slices.Index(classNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("worker: %q is no class: there are %s", text, strings.Join(classNames[:], ", "))
	}
	*c = Class(i)
	return nil
}
