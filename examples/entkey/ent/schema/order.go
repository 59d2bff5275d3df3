package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Order may replace another.
type Order struct{ ent.Schema }

// Mixin gives it an id.
func (Order) Mixin() []ent.Mixin { return []ent.Mixin{IDs{}} }

// Fields are those beside the id.
func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("replaces").Optional().Nillable(), // nil is NULL
		field.String("item").NotEmpty(),
	}
}
