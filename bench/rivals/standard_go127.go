//go:build go1.27

package main

import "uuid"

// standardUUIDs are those of package uuid, which Go has since 1.27.
func standardUUIDs() []candidate {
	return []candidate{{
		name: "uuid", variant: "NewV7",
		module: standard,
		note:   "time and 62 random bits",
		open: func() (subject, error) {
			return strings16(shared(func(dst []uuid.UUID) (int, error) {
				for i := range dst {
					dst[i] = uuid.NewV7()
				}
				return len(dst), nil
			})), nil
		},
	}}
}
