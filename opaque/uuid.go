package opaque

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/ringuid/ringuid/internal/idtext"
	"github.com/ringuid/ringuid/uid"
)

// UUID is an ID as a UUID of version 8, the one that RFC 9562 leaves to applications: the
// 63 bits of the number from the left, around the version and the variant, so that UUIDs
// sort as the numbers do; two bits of key, a one, and zeros. It equals no UUID of another
// version. The type converts to those of UUID packages, which are [16]byte.
type UUID [16]byte

// What is the same in each UUID, and where in its halves the rest lies: 48 bits of the
// number above the version and 12 below it, 3 below the variant.
const (
	version  = 8 << 12
	variant  = 2 << 62
	one      = 1 << 56 // MariaDB accepts no UUID of version 8 whose ninth byte is 80
	keyShift = 57
	lowShift = 59
)

// UUID returns the id as a UUID. Errors are those of MarshalText.
func (id ID) UUID() (UUID, error) {
	if err := id.check(); err != nil {
		return UUID{}, err
	}
	n := uint64(id.Number)
	var u UUID
	binary.BigEndian.PutUint64(u[:8], n>>15<<16|version|n>>3&0xfff)
	binary.BigEndian.PutUint64(u[8:], variant|n&7<<lowShift|uint64(id.Key)<<keyShift|one)
	return u, nil
}

// ID returns the id in a UUID. The error wraps uid.ErrSyntax when the UUID was not made
// by ID.UUID.
func (u UUID) ID() (ID, error) {
	left, right := binary.BigEndian.Uint64(u[:8]), binary.BigEndian.Uint64(u[8:])
	n := left>>16<<15 | left&0xfff<<3 | right>>lowShift&7
	id := ID{Number: uid.ID(n), Key: int(right >> keyShift & maxKey)}
	if again, err := id.UUID(); err != nil || again != u {
		return ID{}, fmt.Errorf("%w: %v is another kind of UUID: want version 8 with an id in it",
			uid.ErrSyntax, u)
	}
	return id, nil
}

// String returns the 36 characters of a UUID, in lower case.
func (u UUID) String() string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// MarshalText returns what String does. The error is always nil.
func (u UUID) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads a UUID, see ParseUUID.
func (u *UUID) UnmarshalText(text []byte) error {
	v, err := ParseUUID(string(text))
	if err != nil {
		return err
	}
	*u = v
	return nil
}

// UnmarshalParam reads a UUID for gin and echo, see ParseUUID.
func (u *UUID) UnmarshalParam(text string) error { return u.UnmarshalText([]byte(text)) }

// UnmarshalJSON reads a quoted UUID. It refuses null: use *UUID for one that may be absent.
func (u *UUID) UnmarshalJSON(data []byte) error {
	return idtext.Unquoted(data, uid.ErrSyntax, u.UnmarshalText)
}

// Value gives the 36 characters to a database/sql driver.
func (u UUID) Value() (driver.Value, error) { return u.String(), nil }

// Scan reads a UUID from a database/sql driver: the 36 characters or 16 bytes, as string,
// []byte or [16]byte, in quotes too, as a JSON column has them. NULL is an error: scan into a
// *UUID for a column that may hold it.
// Errors wrap uid.ErrSyntax.
func (u *UUID) Scan(src any) error {
	switch v := src.(type) {
	case [16]byte:
		*u = v
		return nil
	case []byte:
		if len(v) == len(u) {
			*u = UUID(v)
			return nil
		}
		return u.UnmarshalText(idtext.Bare(v))
	case string:
		return u.UnmarshalText(idtext.Bare([]byte(v)))
	case nil:
		return fmt.Errorf("%w: NULL: scan into a *opaque.UUID if the column may be empty",
			uid.ErrSyntax)
	}
	return fmt.Errorf("%w: a %T cannot be scanned, want a UUID", uid.ErrSyntax, src)
}

// ParseUUID reads the 36 characters of any UUID, in lower or upper case; UUID.ID says
// whether there is an id in it. Errors wrap uid.ErrSyntax.
func ParseUUID(s string) (UUID, error) {
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		if b, err := hex.DecodeString(s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]); err == nil {
			return UUID(b), nil
		}
	}
	return UUID{}, fmt.Errorf("%w: %q is not a UUID", uid.ErrSyntax, idtext.Clip(s))
}
