package typeid_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/typeid"
	"github.com/ringuid/ringuid/uid"
)

// Order and User are kinds of ids.
type (
	Order struct{}
	User  struct{}
)

func (Order) Prefix() string { return "ord" }
func (User) Prefix() string  { return "user" }

// What the program calls them.
type (
	OrderID = typeid.ID[Order]
	UserID  = typeid.ID[User]
)

// Two kinds of ids: each has texts of its own.
func Example() {
	var made uid.ID = 538815673191686144 // by a generator's GetUID
	id := OrderID(made)
	fmt.Println(id)

	body, err := json.Marshal(struct {
		Order OrderID `json:"order"`
		User  UserID  `json:"user"`
	}{id, 538815673191686145})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))

	_, err = typeid.Parse[User](id.String())
	fmt.Println(errors.Is(err, typeid.ErrKind))
	fmt.Println(err)
	// Output:
	// ord_0eyj200001r00
	// {"order":"ord_0eyj200001r00","user":"user_0eyj200001r01"}
	// true
	// uid: not an id: typeid: id of another kind: "ord_0eyj200001r00" begins with "ord", want "user"
}

// Invoice is a kind whose ids are shown hidden.
type Invoice struct{}

func (Invoice) Prefix() string     { return "inv" }
func (Invoice) Keys() *opaque.Keys { return invoiceKeys }

// invoiceKeys are set when the program starts.
var invoiceKeys *opaque.Keys

// The program and its database have the id itself; texts and JSON have it hidden.
func ExampleKind_hidden() {
	os.Setenv("INVOICE_KEYS", "1:000102030405060708090a0b0c0d0e0f") // stands for the deployment
	var err error
	if invoiceKeys, err = opaque.ParseKeys(os.Getenv("INVOICE_KEYS")); err != nil {
		log.Fatal(err)
	}

	id := typeid.ID[Invoice](538815673191686144)
	body, err := json.Marshal(id)
	if err != nil {
		log.Fatal(err)
	}
	stored, err := id.Value()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body), stored)

	id, err = typeid.Parse[Invoice]("inv_ecscm65krsxa8")
	fmt.Println(int64(id), err)
	// Output:
	// "inv_ecscm65krsxa8" 538815673191686144
	// 538815673191686144 <nil>
}

// For a column of type UUID.
func ExampleUUID() {
	id := typeid.UUID[Order]{ID: 538815673191686144}
	stored, err := id.Value()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored, id)

	var read typeid.UUID[Order]
	err = read.Scan("0ef48400-0001-8c00-8100-000000000000")
	fmt.Println(read, err)
	// Output:
	// 0ef48400-0001-8c00-8100-000000000000 ord_0eyj200001r00
	// ord_0eyj200001r00 <nil>
}
