package orm

import (
	"context"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// IDs is mixed into each schema that has an id for a key.
type IDs struct{ mixin.Schema }

// Fields has the key. Without Incremental: false ent has the database count.
func (IDs) Fields() []ent.Field {
	no := false
	return []ent.Field{
		field.Int64("id").Positive().Annotations(entsql.Annotation{Incremental: &no}),
	}
}

// created is what ent generates for a schema with IDs.
type created interface {
	ID() (id int64, exists bool)
	SetID(int64)
}

// TakeIDs is called for each row of a batch, too.
func TakeIDs(gen interface {
	GetUIDContext(context.Context) (uid.ID, error)
}) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if row, ok := m.(created); ok && m.Op().Is(ent.OpCreate) {
				if given, _ := row.ID(); given == 0 {
					id, err := gen.GetUIDContext(ctx)
					if err != nil {
						return nil, err
					}
					row.SetID(int64(id))
				}
			}
			return next.Mutate(ctx, m)
		})
	}
}

// mutation is what a hook sees of one that ent generates.
type mutation struct {
	ent.Mutation
	op ent.Op
	id int64
}

func (m *mutation) Op() ent.Op        { return m.op }
func (m *mutation) ID() (int64, bool) { return m.id, m.id != 0 }
func (m *mutation) SetID(id int64)    { m.id = id }

func TestAKeyWithEnt(t *testing.T) {
	gen, stored := newIDs(t), 0
	last := ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) {
		stored++
		return nil, nil
	})
	hook := TakeIDs(gen)(last)
	after := func(op ent.Op, given int64) int64 {
		m := &mutation{op: op, id: given}
		_, err := hook.Mutate(t.Context(), m)
		require.NoError(t, err)
		return m.id
	}
	parts, err := gen.ParseUID(uid.ID(after(ent.OpCreate, 0)))
	require.NoError(t, err)
	assert.Equal(t, int64(7), parts.Worker)
	assert.Equal(t, int64(42), after(ent.OpCreate, 42), "given, and kept")
	assert.Zero(t, after(ent.OpUpdate, 0))
	assert.Equal(t, 3, stored)

	require.NoError(t, gen.Close())
	_, err = hook.Mutate(t.Context(), &mutation{op: ent.OpCreate})
	assert.ErrorIs(t, err, uid.ErrClosed)
	assert.Equal(t, 3, stored, "no row without an id")

	id := IDs{}.Fields()[0].Descriptor()
	assert.Equal(t, "id", id.Name)
	assert.Equal(t, field.TypeInt64, id.Info.Type)
	assert.False(t, *id.Annotations[0].(entsql.Annotation).Incremental)
}
