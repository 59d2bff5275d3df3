package typeid

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

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
