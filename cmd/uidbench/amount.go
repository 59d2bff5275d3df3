package main

import (
	"errors"
	"fmt"
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

// A workerRange is a flag's range of worker ids: 0-1023.
type workerRange struct {
	first, last int64
	set         bool
}

var errWorkerRange = errors.New("type the first and the last, like 0-1023")

func (r *workerRange) Set(s string) error {
	from, to, _ := strings.Cut(s, "-")
	first, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		return errWorkerRange
	}
	last, err := strconv.ParseInt(to, 10, 64)
	if err != nil || first < 0 || last < first {
		return errWorkerRange
	}
	*r = workerRange{first, last, true}
	return nil
}

func (r *workerRange) String() string {
	if !r.set {
		return ""
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

func (*workerRange) Type() string { return "FIRST-LAST" }
