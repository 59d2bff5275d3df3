package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// A numbers is a flag's list of whole numbers: 1,2,4,8, or 0..6 for all of them, or
// 1..64x2 for each twice the one before. What is given again is added.
type numbers []int

// mostNumbers is more than anybody has time for.
const mostNumbers = 1000

var (
	errNumbers    = errors.New("type it like 1,2,4,8, or 0..6, or 1..64x2 (each twice the one before)")
	errTooMany    = fmt.Errorf("more than %d numbers: type fewer", mostNumbers)
	errLayoutList = errors.New("type layouts like 28/22/13,30/20/13")
)

func (l *numbers) Set(s string) error {
	for item := range strings.SplitSeq(s, ",") {
		more, err := parseRange(item)
		if err != nil {
			return err
		}
		if len(*l)+len(more) > mostNumbers {
			return errTooMany
		}
		*l = append(*l, more...)
	}
	return nil
}

// parseRange reads N, FIRST..LAST or FIRST..LASTxFACTOR.
func parseRange(s string) (all []int, err error) {
	from, to, isRange := strings.Cut(s, "..")
	to, by, isPowers := strings.Cut(to, "x")
	first, err := strconv.Atoi(from)
	if err != nil || first < 0 {
		return nil, errNumbers
	}
	if !isRange {
		return []int{first}, nil
	}
	last, err := strconv.Atoi(to)
	if err != nil || last < first {
		return nil, errNumbers
	}
	factor := 1
	if isPowers {
		if factor, err = strconv.Atoi(by); err != nil || factor < 2 || first == 0 {
			return nil, errNumbers
		}
	}
	for n := first; ; {
		if all = append(all, n); len(all) > mostNumbers {
			return nil, errTooMany
		}
		switch {
		case factor == 1 && n < last:
			n++
		case factor > 1 && n <= last/factor:
			n *= factor
		default:
			return all, nil
		}
	}
}

func (l *numbers) String() string {
	var all []string
	for _, n := range *l {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, ",")
}

func (*numbers) Type() string { return "LIST" }

// A layoutList is a flag's list of layouts, with commas between them.
type layoutList []uid.Layout

func (l *layoutList) Set(s string) error {
	for item := range strings.SplitSeq(s, ",") {
		layout, err := uid.ParseLayout(item)
		if err != nil {
			return fmt.Errorf("%w; %w", err, errLayoutList)
		}
		*l = append(*l, layout)
	}
	return nil
}

func (l *layoutList) String() string {
	var all []string
	for _, layout := range *l {
		all = append(all, layout.String())
	}
	return strings.Join(all, ",")
}

func (*layoutList) Type() string { return "LIST" }
