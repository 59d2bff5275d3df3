// Package idtext has what the texts of this module's ids have in common.
package idtext

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Clip copies the start of a text for an error: errors stay short, and as they do not keep the
// text itself, decoders need not allocate it.
func Clip(s string) string { return strings.Clone(s[:min(len(s), 60)]) }

// Shown returns the text of an id, or for an invalid one what is wrong with it.
func Shown(text []byte, err error) string {
	if err != nil {
		return "!(" + err.Error() + ")"
	}
	return string(text)
}

// Bare returns what is between the quotes of a JSON string, or data if it is none.
func Bare(data []byte) []byte {
	if n := len(data); n >= 2 && data[0] == '"' && data[n-1] == '"' {
		return data[1 : n-1]
	}
	return data
}

// Unquoted reads a JSON string without escapes. Any other value is an error that wraps syntax.
// So is null, which would otherwise silently keep the previous id.
func Unquoted(data []byte, syntax error, read func([]byte) error) error {
	if bare := Bare(data); len(bare) < len(data) {
		return read(bare)
	}
	return fmt.Errorf("%w: %s is not a text in quotes", syntax, Clip(string(data)))
}

// The types of BSON that an id has, https://bsonspec.org.
const (
	BSONString = 0x02
	BSONInt32  = 0x10
	BSONInt64  = 0x12
)

// WriteBSON writes a text for MongoDB's driver.
func WriteBSON(text []byte, err error) (typ byte, data []byte, _ error) {
	data = binary.LittleEndian.AppendUint32(nil, uint32(len(text)+1))
	return BSONString, append(append(data, text...), 0), err
}

// ReadBSON reads a text that MongoDB's driver has read. Any other value, such as null, is an error
// that wraps syntax.
func ReadBSON(typ byte, data []byte, syntax error, read func([]byte) error) error {
	if n := len(data); typ == BSONString && n > 4 {
		return read(data[4 : n-1])
	}
	return fmt.Errorf("%w: BSON of type %#x is no id", syntax, typ)
}
