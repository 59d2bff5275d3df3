package typeid

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// An id of any type serves wherever texts and keys do. What is shown hidden is in no column.
func TestAllIDsHaveOneSetOfMethods(t *testing.T) {
	encode := []string{"MarshalBSONValue", "MarshalText", "String", "Value"}
	decode := []string{"Bind", "Scan", "UnmarshalBSONValue", "UnmarshalJSON", "UnmarshalParam",
		"UnmarshalText"}
	for _, id := range []reflect.Type{reflect.TypeFor[uid.ID](), reflect.TypeFor[ID[order]](),
		reflect.TypeFor[UUID[order]](), reflect.TypeFor[opaque.UUID](), reflect.TypeFor[opaque.ID]()} {
		hidden := func(name string) bool { // of an array oapi-codegen reads the text, BSON the bytes
			return id == reflect.TypeFor[opaque.ID]() && (name == "Value" || name == "Scan") ||
				id == reflect.TypeFor[opaque.UUID]() && (name == "Bind" || strings.Contains(name, "BSON"))
		}
		for _, name := range encode {
			_, ok := id.MethodByName(name)
			assert.Equal(t, !hidden(name), ok, "%v.%s", id, name)
		}
		for _, name := range decode {
			_, ok := reflect.PointerTo(id).MethodByName(name)
			assert.Equal(t, !hidden(name), ok, "%v.%s", id, name)
		}
		for i := range reflect.PointerTo(id).NumMethod() {
			name := reflect.PointerTo(id).Method(i).Name
			if strings.Contains(strings.ToLower(name), "marshal") {
				assert.Contains(t, append(encode, decode...), name, "%v has it, others do not", id)
			}
		}
	}
}

// Those who bind parameters by kind would read each of these as a number.
func TestParametersAreTheTextOfAnID(t *testing.T) {
	plain, err := opaque.ID{Number: 5}.UUID()
	require.NoError(t, err)
	for _, id := range []fmt.Stringer{uid.ID(5), ID[order](5), ID[invoice](5), UUID[order]{5}, plain,
		opaque.ID{Number: 5, Key: 2}} {
		back := reflect.New(reflect.TypeOf(id))
		p := back.Interface().(interface{ UnmarshalParam(string) error })
		reads := []func(string) error{p.UnmarshalParam}
		if b, ok := p.(interface{ Bind(string) error }); ok {
			reads = append(reads, b.Bind)
		}
		for _, read := range reads {
			back.Elem().SetZero()
			require.NoError(t, read(id.String()))
			assert.Equal(t, id, back.Elem().Interface())
			for _, text := range []string{"-5", "", "+5", " 5", "5 ", "null", id.String() + "\n"} {
				require.ErrorIs(t, read(text), uid.ErrSyntax, "%T %q", id, text)
			}
			if _, number := id.(uid.ID); !number {
				require.ErrorIs(t, read("5"), uid.ErrSyntax, "%T: the number that is not shown", id)
			}
			assert.Equal(t, id, back.Elem().Interface(), "what is refused changes nothing")
		}
	}
}
