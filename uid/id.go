package uid

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/ringuid/ringuid/internal/idtext"
)

// ID is a unique id: 0 to 2^63-1, so that it fits a signed BIGINT column. Ids of
// one layout sort by time, unless its Order has the worker id first.
//
// As text it is decimal. In JSON it is a quoted decimal, because JavaScript reads a bare
// number as a float and loses the last digits of most ids; both forms are read. For an id
// that may be absent use *ID, in JSON, SQL and BSON: null is never read as the id 0. Libraries
// that go by kind read more, see docs/guide.md.
//
// A type of your own, `type OrderID uid.ID`, has none of these methods: it is a bare number in
// JSON. Use package typeid, or an alias. %x of an id is the hex of its text: use int64(id).
type ID int64

// ParseID reads what ID.String writes: decimal digits, without sign, blanks or
// separators. Leading zeros are allowed, for columns that pad with them. Errors
// wrap ErrSyntax, and ErrRange too when the text is a number above 2^63-1 or
// below zero.
func ParseID(s string) (ID, error) {
	v, err := strconv.ParseUint(s, 10, 63)
	if err == nil {
		return ID(v), nil
	}
	if signed, _ := strconv.ParseInt(s, 10, 64); signed < 0 || errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%w: %q: %w: an id is 0 to %d", ErrSyntax, idtext.Clip(s), ErrRange,
			int64(math.MaxInt64))
	}
	return 0, fmt.Errorf("%w: %q: want decimal digits", ErrSyntax, idtext.Clip(s))
}

// String returns the id in decimal.
func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// MarshalText returns the id in decimal. In JSON it is quoted. A negative value is no id: the
// error wraps ErrRange.
func (id ID) MarshalText() ([]byte, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	return strconv.AppendInt(nil, int64(id), 10), nil
}

// UnmarshalText reads what MarshalText writes, see ParseID.
func (id *ID) UnmarshalText(text []byte) error {
	v, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// UnmarshalParam reads a text for gin and echo, see ParseID. Without it gin reads any number.
func (id *ID) UnmarshalParam(text string) error { return id.UnmarshalText([]byte(text)) }

// Bind is UnmarshalParam for what oapi-codegen generates.
func (id *ID) Bind(text string) error { return id.UnmarshalText([]byte(text)) }

// UnmarshalJSON reads a quoted or a bare decimal. Unlike most of Go it refuses
// null, which would silently leave the id 0 in a key: use *ID for an id that may
// be absent. Errors wrap ErrSyntax.
func (id *ID) UnmarshalJSON(data []byte) error {
	return id.UnmarshalText(idtext.Bare(data))
}

// MarshalBSONValue gives the id to MongoDB's driver, as an int64. A negative value is no id: the
// error wraps ErrRange.
func (id ID) MarshalBSONValue() (typ byte, data []byte, err error) {
	return idtext.BSONInt64, binary.LittleEndian.AppendUint64(nil, uint64(id)), id.check()
}

// UnmarshalBSONValue reads an id from MongoDB's driver: an int64, an int32, or decimal digits.
// Anything else is an error that wraps ErrSyntax: null (use a *ID for an id that may be absent),
// and a double, which has lost the last digits. A negative number wraps ErrRange.
func (id *ID) UnmarshalBSONValue(typ byte, data []byte) error {
	switch {
	case typ == idtext.BSONInt64 && len(data) == 8:
		return id.Scan(int64(binary.LittleEndian.Uint64(data)))
	case typ == idtext.BSONInt32 && len(data) == 4:
		return id.Scan(int64(int32(binary.LittleEndian.Uint32(data))))
	}
	return idtext.ReadBSON(typ, data, ErrSyntax, id.UnmarshalText)
}

// Value gives the id to a database/sql driver, as an int64. A negative value is no id: it comes
// with an error that wraps ErrRange. (Of nil GORM would make IS NULL, and find other rows.)
func (id ID) Value() (driver.Value, error) { return int64(id), id.check() }

// Scan reads an id from a database/sql driver: an int64 or uint64 of an integer
// column, or decimal digits as []byte or string. The digits may be in quotes, as a JSON column
// has them, or padded with blanks, as PostgreSQL's CHAR(n) is. NULL is an error that wraps
// ErrSyntax (scan into a *ID for a column that may hold it), as is any other type; a
// negative or too large number wraps ErrRange.
func (id *ID) Scan(src any) error {
	switch v := src.(type) {
	case int64:
		if err := ID(v).check(); err != nil {
			return err
		}
		*id = ID(v)
		return nil
	case uint64: // what MySQL's driver gives for BIGINT UNSIGNED
		if v > math.MaxInt64 {
			return fmt.Errorf("%w: id %d is above %d", ErrRange, v, int64(math.MaxInt64))
		}
		*id = ID(v)
		return nil
	case []byte:
		return id.UnmarshalJSON(bytes.TrimRight(v, " "))
	case string:
		return id.Scan([]byte(v))
	case nil:
		return fmt.Errorf("%w: NULL: scan into a *uid.ID if the column may be empty", ErrSyntax)
	default:
		return fmt.Errorf("%w: a %T cannot be scanned, want an integer or digits", ErrSyntax, src)
	}
}

// check refuses the values of int64 that are not ids.
func (id ID) check() error {
	if id < 0 {
		return fmt.Errorf("%w: id %d is negative", ErrRange, int64(id))
	}
	return nil
}
