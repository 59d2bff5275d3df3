// Package typeid gives the ids of orders and of users different types, and texts that say
// which they are: ord_0eyj200001r00.
//
// A kind of ids is a type of yours with a Prefix; it needs no fields:
//
//	type Order struct{}
//
//	func (Order) Prefix() string { return "ord" }
//
//	type OrderID = typeid.ID[Order]
//
// Like uid.ID, an OrderID is an int64, so an id from a generator is converted by
// OrderID(id). Passing an OrderID where a user's id is expected does not compile, and
// parsing the text of a user's id as an OrderID is an error.
//
// # Forms
//
// Outside the program an id is its text: in URLs, JSON, XML, flags and logs. It
// has the prefix, an underscore and 13 digits of base 32 in lower case, so the texts of a
// kind sort as the ids do. In a database it is a BIGINT, in the order of time; UUID is for
// columns that are UUIDs.
//
// The text has the form of Stripe's and TypeID's (https://github.com/jetify-com/typeid),
// with 63 bits instead of 128. Each id has exactly one text: Parse accepts no upper case,
// no other length and no other prefix.
//
// # Hidden ids
//
// A kind that also has a method Keys, as below, encrypts its ids when they are shown, as
// package opaque does, and decrypts them when they are read; the program and the database keep
// the ids themselves. Such texts sort in random order, and nobody can read the time or the
// count in them. This is not authentication: check permissions on each request.
//
//	func (Order) Keys() *opaque.Keys { return keys }
package typeid
