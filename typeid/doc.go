// Package typeid makes an order's id another type than a user's, with a text that says
// which it is: ord_0eyj200001r00.
//
// A kind of ids is a type of one's own with a Prefix; it needs no fields:
//
//	type Order struct{}
//
//	func (Order) Prefix() string { return "ord" }
//
//	type OrderID = typeid.ID[Order]
//
// An OrderID is an int64 as uid.ID is, so an id of a generator is converted to it:
// OrderID(id). Where a user's id is wanted it does not compile, and the text of a user's
// id is not parsed.
//
// # Forms
//
// Outside the program an id is its text: in URLs, JSON, XML, GraphQL, flags and logs. It
// has the prefix, an underscore and 13 digits of base 32 in lower case, so the texts of a
// kind sort as the ids do. In a database it is a BIGINT, in the order of time; UUID is for
// columns that are UUIDs.
//
// The text is as Stripe and TypeID (https://github.com/jetify-com/typeid) have theirs,
// with 63 bits in place of 128. One id has one text: Parse takes no upper case, no other
// length and no other prefix.
//
// # Hidden ids
//
// A kind that also has Keys (the interface Hidden) shows its ids hidden, as package opaque
// does, and reveals them when they are read; the program and the database keep the ids
// themselves. The texts sort at random then, and nobody reads the time or the count in
// them. That is no authentication: look at rights for each request.
//
//	func (Order) Keys() *opaque.Keys { return keys }
package typeid
