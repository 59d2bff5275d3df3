package typeid

import (
	"database/sql/driver"
	"fmt"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// Value gives the id itself to a database/sql driver, as an int64 for a BIGINT. A negative
// value is not an id: the error wraps uid.ErrRange, and the number is beside it.
func (id ID[K]) Value() (driver.Value, error) { return uid.ID(id).Value() }

// Scan reads an id from a BIGINT, as uid.ID.Scan does. NULL is an error that wraps
// uid.ErrSyntax: scan into a *ID[K] for a column that may hold it.
func (id *ID[K]) Scan(src any) error {
	if src == nil {
		return fmt.Errorf("%w: NULL: scan into a *%T if the column may be empty", uid.ErrSyntax, *id)
	}
	return (*uid.ID)(id).Scan(src)
}

// UUID is an ID for a column of type UUID: database/sql drivers read and write a UUID;
// everything else is as for ID. The UUID contains the id itself, so that rows are in time
// order.
type UUID[K Kind] struct{ ID[K] }

// UUID returns the id itself as a UUID of version 8; in a column of 16 bytes, such as MySQL's
// BINARY(16), store its bytes. To show an id as a UUID, use the UUID method of Opaque's result.
// A negative value is not an id: the error wraps uid.ErrRange.
func (id ID[K]) UUID() (opaque.UUID, error) { return opaque.ID{Number: uid.ID(id)}.UUID() }

// Value gives the UUID in its 36 characters to a database/sql driver. Beside an error it gives a
// UUID that no id has: see uid.ID.Value. (MariaDB takes a text that is no UUID for NULL.)
func (u UUID[K]) Value() (driver.Value, error) {
	v, err := u.UUID()
	if err != nil {
		return "99999999-9999-8999-8999-999999999999", err
	}
	return v.String(), nil
}

// Scan reads a UUID from a database/sql driver: the 36 characters or 16 bytes, as string,
// []byte or [16]byte. Errors wrap uid.ErrSyntax, and also opaque.ErrKey if the UUID was shown
// and is hidden.
func (u *UUID[K]) Scan(src any) error {
	if src == nil {
		return fmt.Errorf("%w: NULL: scan into a *%T if the column may be empty", uid.ErrSyntax, *u)
	}
	var v opaque.UUID
	if err := v.Scan(src); err != nil {
		return err
	}
	plain, err := v.ID()
	if err != nil {
		return err
	}
	if plain.Key != 0 {
		return fmt.Errorf("%w: %w: %v is hidden by key %d: Reveal its ID", uid.ErrSyntax,
			opaque.ErrKey, v, plain.Key)
	}
	u.ID = ID[K](plain.Number)
	return nil
}
