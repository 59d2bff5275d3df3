package compare

import (
	"encoding/json"
	"math"
)

// A number may be infinite, or none at all, for which JSON has null alone.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	if n.isInf() || math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func (n number) isInf() bool { return math.IsInf(float64(n), 0) }
