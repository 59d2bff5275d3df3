package bwmarrin_test

import (
	"fmt"

	"github.com/ringuid/ringuid/bwmarrin"
)

// The last part of a URL that was made with bwmarrin/snowflake.
func Example() {
	id, err := bwmarrin.Parse("4zzv4rZaYpj", 58)
	fmt.Println(id, err)
	fmt.Println(bwmarrin.Format(id, 58))
	// Output:
	// 1541815603606036480 <nil>
	// 4zzv4rZaYpj
}
