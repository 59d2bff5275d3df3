//go:build go1.27

package main

import "uuid"

// standardUUIDs returns those of package uuid, which Go has had since 1.27.
func standardUUIDs() []rival {
	return []rival{{
		name: "uuid,V7", note: "Go's own; time and 62 random bits",
		open: func() (subject, error) {
			return each(func() (uuid.UUID, error) { return uuid.NewV7(), nil }), nil
		},
	}}
}
