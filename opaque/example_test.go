package opaque_test

import (
	"fmt"
	"log"

	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// One key, as an environment variable has it. A program reads its own from where its
// other secrets are.
func Example() {
	keys, err := opaque.ParseKeys("1:000102030405060708090a0b0c0d0e0f")
	if err != nil {
		log.Fatal(err)
	}
	for id := uid.ID(538815673191686144); id < 538815673191686147; id++ {
		shown, err := keys.Hide(id)
		if err != nil {
			log.Fatal(err)
		}
		back, err := keys.Reveal(shown)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(shown, back)
	}
	// Output:
	// ecscm65krsxa8 538815673191686144
	// b3b7knf7dbd5k 538815673191686145
	// e87fb3dwn7yr2 538815673191686146
}
