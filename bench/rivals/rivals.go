package main

import (
	"slices"

	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
)

// rivals are the others, each set up as its documentation says. One that is held
// back by its sequence bits is here a second time with as many as it takes, so
// that its own cost shows.
func rivals() []candidate { return slices.Concat(lockFree(), snowflakes(), wide(), ofGo()) }

// wide are the generators of ids that have more than 64 bits.
func wide() []candidate {
	return []candidate{{
		name:   "rs/xid",
		module: "github.com/rs/xid",
		faults: "of more than 2^24 ids in a second some are equal",
		open: func() (subject, error) {
			return &generator[xid.ID]{
				order: xid.ID.Compare,
				chunk: manyIDs,
				newTaker: shared(func(dst []xid.ID) (int, error) {
					for i := range dst {
						dst[i] = xid.New()
					}
					return len(dst), nil
				}),
			}, nil
		},
	}, {
		name: "oklog/ulid", variant: "Make",
		module: "github.com/oklog/ulid/v2",
		faults: "its random bits are of math/rand, seeded with the clock: they can be guessed",
		open: func() (subject, error) {
			return strings16(shared(func(dst []ulid.ULID) (int, error) {
				for i := range dst {
					dst[i] = ulid.Make()
				}
				return len(dst), nil
			})), nil
		},
	}, {
		name: "google/uuid", variant: "NewV7",
		module: "github.com/google/uuid",
		open: func() (subject, error) {
			return strings16(shared(func(dst []google.UUID) (int, error) {
				for i := range dst {
					id, err := google.NewV7()
					if err != nil {
						return i, err
					}
					dst[i] = id
				}
				return len(dst), nil
			})), nil
		},
	}, {
		name: "google/uuid", variant: "NewRandom (V4)",
		module: "github.com/google/uuid",
		note:   "random alone: no time, no order",
		open: func() (subject, error) {
			return strings16(shared(func(dst []google.UUID) (int, error) {
				for i := range dst {
					id, err := google.NewRandom()
					if err != nil {
						return i, err
					}
					dst[i] = id
				}
				return len(dst), nil
			})), nil
		},
	}, {
		name: "gofrs/uuid", variant: "NewV7",
		module: "github.com/gofrs/uuid/v5",
		open: func() (subject, error) {
			return strings16(shared(func(dst []gofrs.UUID) (int, error) {
				for i := range dst {
					id, err := gofrs.NewV7()
					if err != nil {
						return i, err
					}
					dst[i] = id
				}
				return len(dst), nil
			})), nil
		},
	}, {
		name:   "segmentio/ksuid",
		module: "github.com/segmentio/ksuid",
		note:   "in no order within a second",
		open: func() (subject, error) {
			return &generator[ksuid.KSUID]{
				order: ksuid.Compare,
				chunk: manyIDs,
				newTaker: shared(func(dst []ksuid.KSUID) (int, error) {
					for i := range dst {
						id, err := ksuid.NewRandom()
						if err != nil {
							return i, err
						}
						dst[i] = id
					}
					return len(dst), nil
				}),
			}, nil
		},
	}}
}
