// Package openapi is what swaggo reads.
package openapi

import "github.com/ringuid/ringuid/uid"

// Order is shown.
type Order struct {
	ID    uid.ID `json:"id"`
	Shown uid.ID `json:"shown" swaggertype:"string"`
}

// Get is a handler.
//
//	@Success	200	{object}	Order
//	@Router		/ [get]
func Get() {}
