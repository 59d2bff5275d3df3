package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// An amount is a flag's number of ids, or of ids a second: 1000000, 1_000_000,
// 1e6 or 1M.
type amount struct {
	value *float64
	whole bool
}

// maxWhole is where a float64 stops telling whole numbers apart.
const maxWhole = 1 << 53

var errAmount = errors.New("type it like 1000000, 1e6 or 1M")

func (a amount) Set(s string) error {
	number, factor := s, 1.0
	for i, suffix := range []string{"k", "M", "G", "T"} {
		if n, ok := strings.CutSuffix(s, suffix); ok {
			number, factor = n, math.Pow(1000, float64(i+1))
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	v *= factor
	if err != nil || !(v > 0) || math.IsInf(v, 0) || a.whole && (v != math.Trunc(v) || v > maxWhole) {
		return errAmount
	}
	*a.value = v
	return nil
}

func (a amount) String() string {
	if a.value == nil || *a.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*a.value, 'f', -1, 64)
}

func (amount) Type() string { return "N" }
