package bwmarrin_test

import (
	"fmt"

	"github.com/ringuid/ringuid/bwmarrin"
)

// The last part of a URL that was made with bwmarrin/snowflake.
func Example() {
	id, err := bwmarrin.ParseBase58("4zzv4rZaYpj")
	fmt.Println(id, err)
	fmt.Println(bwmarrin.Base58(id))
	// Output:
	// 1541815603606036480 <nil>
	// 4zzv4rZaYpj
}
