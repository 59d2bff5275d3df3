//go:build go1.27

package rivals

import (
	"testing"
	"uuid"
)

func init() { rivals["uuid,V7"] = func(testing.TB) generator { return each(newV7) } }

func newV7() (uuid.UUID, error) { return uuid.NewV7(), nil }
