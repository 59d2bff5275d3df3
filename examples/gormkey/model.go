package main

import (
	"errors"

	"gorm.io/gorm"

	"github.com/ringuid/ringuid/uid"
)

// Model is embedded by whatever has an id for a key. GORM would have the database
// count it up; autoIncrement:false keeps it from that.
type Model struct {
	ID uid.ID `gorm:"primaryKey;autoIncrement:false"`
}

// Order has lines, which refer to it by its id.
type Order struct {
	Model
	Customer string
	Lines    []Line
}

// Line is a line of an order.
type Line struct {
	Model
	OrderID uid.ID `gorm:"index"`
	Item    string
}

// ErrNoIDs is the error of creating a Model without WithIDs.
var ErrNoIDs = errors.New("no generator of ids: create with the DB of WithIDs")

// generator is the name under which a *gorm.DB carries its generator.
const generator = "ringuid:generator"

// WithIDs returns a DB whose Create takes ids from gen.
func WithIDs(db *gorm.DB, gen uid.Generator) *gorm.DB {
	return db.Set(generator, gen).Session(&gorm.Session{})
}

// BeforeCreate takes an id for a row that has none. GORM calls it for each row of
// a batch, and for associations too.
func (m *Model) BeforeCreate(tx *gorm.DB) error {
	if m.ID != 0 {
		return nil
	}
	v, _ := tx.Get(generator)
	gen, ok := v.(uid.Generator)
	if !ok {
		return ErrNoIDs
	}
	id, err := gen.GetUID()
	m.ID = id
	return err
}
