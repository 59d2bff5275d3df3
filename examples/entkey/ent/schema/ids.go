// Package schema is what ent generates its code from.
package schema

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/ringuid/ringuid/uid"
)

// ErrNoIDs is the error of creating something with a context that is not of WithIDs.
var ErrNoIDs = errors.New("no generator of ids: create with a context of WithIDs")

// generator is where a context keeps its generator.
type generator struct{}

// WithIDs returns a context with which whatever is created takes its id from gen.
func WithIDs(ctx context.Context, gen uid.Generator) context.Context {
	return context.WithValue(ctx, generator{}, gen)
}

// IDs is mixed into whatever has an id for a key.
type IDs struct{ mixin.Schema }

// Fields has no DefaultFunc in it: that cannot say that there is no id to be had. Nor is
// the key's GoType uid.ID: of a key that can scan itself, ent does not believe what it was
// given. After a batch it reads it back, which fails, or on MySQL counts it from
// LAST_INSERT_ID, which is another number.
func (IDs) Fields() []ent.Field {
	counted := false // else the database counts the key up where there is none
	return []ent.Field{field.Int64("id").Positive().Annotations(entsql.Annotation{Incremental: &counted})}
}

// Hooks are called for each row of a batch.
func (IDs) Hooks() []ent.Hook { return []ent.Hook{takeID} }

// created is the mutation of something that has an id. ent generates it.
type created interface {
	ID() (id int64, exists bool)
	SetID(int64)
}

// takeID takes an id for what is to be created and has none.
func takeID(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		if !m.Op().Is(ent.OpCreate) {
			return next.Mutate(ctx, m)
		}
		row, ok := m.(created)
		if !ok {
			return nil, fmt.Errorf("the id of %s is not an int64", m.Type())
		}
		if id, _ := row.ID(); id != 0 {
			return next.Mutate(ctx, m)
		}
		gen, ok := ctx.Value(generator{}).(uid.Generator)
		if !ok {
			return nil, ErrNoIDs
		}
		id, err := gen.GetUIDContext(ctx)
		if err != nil {
			return nil, err
		}
		row.SetID(int64(id))
		return next.Mutate(ctx, m)
	})
}
