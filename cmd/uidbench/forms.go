package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// bwmarrinForm is a text of bwmarrin/snowflake.
type bwmarrinForm struct {
	name   string // is typed in front of the text
	format func(uid.ID) string
	parse  func(string) (uid.ID, error)
}

var bwmarrinForms = []bwmarrinForm{
	{"bwmarrin_base2", bwmarrin.Base2, bwmarrin.ParseBase2},
	{"bwmarrin_base32", bwmarrin.Base32, bwmarrin.ParseBase32},
	{"bwmarrin_base36", bwmarrin.Base36, bwmarrin.ParseBase36},
	{"bwmarrin_base58", bwmarrin.Base58, bwmarrin.ParseBase58},
	{"bwmarrin_base64", bwmarrin.Base64, bwmarrin.ParseBase64},
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

// read returns an id, and the prefix of its kind where it has one, with the underscore.
func (r formReader) read(s string) (id uid.ID, prefix string, err error) {
	if id, err := uid.ParseID(s); err == nil {
		return id, "", nil
	}
	if form, text, ok := strings.Cut(s, ":"); ok {
		id, err := r.readAs(form, text)
		return id, "", err
	}
	if u, err := opaque.ParseUUID(s); err == nil {
		shown, err := u.ID()
		if err != nil {
			return 0, "", usagef("%v", err)
		}
		id, err := r.reveal(shown)
		return id, "", err
	}
	if i := strings.LastIndexByte(s, '_') + 1; i > 0 {
		shown, err := opaque.Parse(s[i:])
		if err != nil {
			return 0, "", usagef("%q: %v", s, err)
		}
		id, err := r.reveal(shown)
		return id, s[:i], err
	}
	if shown, err := opaque.Parse(strings.ToLower(s)); err == nil {
		id, err := r.reveal(shown)
		return id, "", err
	}
	return 0, "", noID(s)
}

// readAs reads a text of a form that was named.
func (r formReader) readAs(name, text string) (uid.ID, error) {
	for _, f := range bwmarrinForms {
		if f.name == name {
			id, err := f.parse(text)
			if err != nil {
				return 0, usagef("%v", err)
			}
			return id, nil
		}
	}
	return 0, usagef("there is no form %q: there are bwmarrin_base2, 32, 36, 58 and 64", name)
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
		"--forms 1` shows, bwmarrin's with its name, as in bwmarrin_base58:2j", s)
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

// allForms are an id in each form, by their names.
type allForms map[string]string

func (r formReader) all(id uid.ID, prefix string) (*allForms, error) {
	f := allForms{}
	for _, form := range bwmarrinForms {
		f[form.name] = form.format(id)
	}
	var err error
	if f["text"], f["uuid"], err = textAndUUID(opaque.ID{Number: id}, prefix); err != nil ||
		r.keys == nil {
		return &f, err
	}
	shown, err := r.keys.Hide(id)
	if err != nil {
		return nil, err
	}
	f["hidden"], f["hidden_uuid"], err = textAndUUID(shown, prefix)
	return &f, err
}

func textAndUUID(id opaque.ID, prefix string) (text, u string, err error) {
	made, err := id.UUID()
	return prefix + id.String(), made.String(), err
}

func (f *allForms) writeText(w io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(*f)) {
		fmt.Fprintf(w, "%s\t%s\n", name, (*f)[name])
	}
}
