package main

import (
	"errors"
	"math"
	"os"
	"strings"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// bwmarrinForms read the texts of bwmarrin/snowflake, by the name that is typed in front.
var bwmarrinForms = map[string]func(string) (uid.ID, error){
	"bwmarrin_base2":  bwmarrin.ParseBase2,
	"bwmarrin_base32": bwmarrin.ParseBase32,
	"bwmarrin_base36": bwmarrin.ParseBase36,
	"bwmarrin_base58": bwmarrin.ParseBase58,
	"bwmarrin_base64": bwmarrin.ParseBase64,
}

// readKeys are those in a file; nil without one.
func readKeys(file string) (*opaque.Keys, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("--keys: %v", err)
	}
	keys, err := opaque.ParseKeys(string(text))
	if err != nil {
		return nil, usagef("--keys %s: %v", file, err)
	}
	return keys, nil
}

// formReader reads ids in every form that they are shown in.
type formReader struct {
	keys *opaque.Keys // nil: none
}

// read returns the id that a text shows. The prefix of a kind may stand before it.
func (r formReader) read(s string) (uid.ID, error) {
	if id, err := uid.ParseID(s); err == nil {
		return id, nil
	}
	if form, text, ok := strings.Cut(s, ":"); ok {
		return readBwmarrin(form, text)
	}
	if u, err := opaque.ParseUUID(s); err == nil {
		shown, err := u.ID()
		if err != nil {
			return 0, usagef("%v", err)
		}
		return r.reveal(shown)
	}
	if i := strings.LastIndexByte(s, '_') + 1; i > 0 {
		shown, err := opaque.Parse(s[i:])
		if err != nil {
			return 0, usagef("%q: %v", s, err)
		}
		return r.reveal(shown)
	}
	if shown, err := opaque.Parse(strings.ToLower(s)); err == nil {
		return r.reveal(shown)
	}
	return 0, noID(s)
}

// readBwmarrin reads a text of a form that was named.
func readBwmarrin(name, text string) (uid.ID, error) {
	parse, ok := bwmarrinForms[name]
	if !ok {
		return 0, usagef("there is no form %q: there are bwmarrin_base2, 32, 36, 58 and 64", name)
	}
	id, err := parse(text)
	if err != nil {
		return 0, usagef("%v", err)
	}
	return id, nil
}

// noID says why a text is no id.
func noID(s string) error {
	if _, err := uid.ParseID(s); errors.Is(err, uid.ErrRange) {
		if s[0] != '-' {
			return usagef("%s is too large: an id is at most %d", s, int64(math.MaxInt64))
		}
		return usagef("%s is negative, so no id: Baidu's cached generator makes such numbers when "+
			"the layout's time is over", s)
	}
	return usagef("%q is not an id: type its decimal digits, or a form that `uidbench decode "+
		"--help` lists, bwmarrin's with its name, as in bwmarrin_base58:2j", s)
}

// reveal is the id that was shown.
func (r formReader) reveal(shown opaque.ID) (uid.ID, error) {
	if shown.Key == 0 {
		return shown.Number, nil
	}
	if r.keys == nil {
		return 0, usagef("%v is hidden by key %d: type --keys FILE, a file with %d:SECRET", shown,
			shown.Key, shown.Key)
	}
	id, err := r.keys.Reveal(shown)
	if err != nil {
		return 0, usagef("%v: %v", shown, err)
	}
	return id, nil
}
