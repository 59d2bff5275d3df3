package opaque_test

import (
	"errors"
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

// A new key hides, the earlier one still reveals what it has hidden: the text says which.
func ExampleParseKeys_rotation() {
	const first = "1:101112131415161718191a1b1c1d1e1f" // at random, in earnest
	const second = "2:202122232425262728292a2b2c2d2e2f"
	before, err := opaque.ParseKeys(first)
	if err != nil {
		log.Fatal(err)
	}
	after, err := opaque.ParseKeys(second + "," + first)
	if err != nil {
		log.Fatal(err)
	}

	old, _ := before.Hide(538815673191686144)
	shown, err := opaque.Parse(old.String())
	if err != nil {
		log.Fatal(err)
	}
	id, err := after.Reveal(shown)
	fmt.Println(shown.Key, id, err)

	shown, _ = after.Hide(id)
	fmt.Println(shown.Key)
	_, err = before.Reveal(shown)
	fmt.Println(errors.Is(err, opaque.ErrKey), err)
	// Output:
	// 1 538815673191686144 <nil>
	// 2
	// true opaque: missing or invalid key: hidden by key 2, which these keys do not have
}

// A column or a partner that takes UUIDs alone.
func ExampleUUID() {
	shown, err := opaque.Parse("ecscm65krsxa8")
	if err != nil {
		log.Fatal(err)
	}
	u, err := shown.UUID()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(u)
	back, err := u.ID()
	fmt.Println(back, err)
	// Output:
	// cccb2862-cf19-8ea9-8300-000000000000
	// ecscm65krsxa8 <nil>
}
