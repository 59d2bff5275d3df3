package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/opaque"
	"github.com/ringuid/ringuid/uid"
)

// bwmarrinForm is a text of bwmarrin/snowflake.
type bwmarrinForm struct {
	name   string // is typed in front of a text that might be another form
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
	if id, err := uid.ParseBase32(s); err == nil {
		return id, "", nil
	}
	id, err = r.guess(s)
	return id, "", err
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
	if name != "opaque" {
		return 0, usagef("there is no form %q: there are opaque and bwmarrin_base2, 32, 36, 58 and 64",
			name)
	}
	shown, err := opaque.Parse(text)
	if err != nil {
		return 0, usagef("%v", err)
	}
	return r.reveal(shown)
}

// leastGuessed is how long a text must be for a guess. Ids that a Snowflake made after its
// first day are longer in all forms; words and slips of the hand are shorter.
const leastGuessed = 8

// guess reads a text that does not say what it is, if it can be one thing alone.
func (r formReader) guess(s string) (uid.ID, error) {
	var could []string
	for _, f := range bwmarrinForms {
		if id, err := f.parse(s); err == nil && f.format(id) == s && len(s) >= leastGuessed {
			could = append(could, f.name)
		}
	}
	if _, err := opaque.Parse(s); err == nil {
		could = append(could, "opaque")
	}
	switch {
	case len(could) == 1:
		return r.readAs(could[0], s)
	case len(could) > 1:
		return 0, usagef("%s can be %s: type which, as in %s:%s", s, strings.Join(could, " or "),
			could[0], s)
	}
	if _, err := uid.ParseID(s); errors.Is(err, uid.ErrRange) {
		if s[0] != '-' {
			return 0, usagef("%s is too large: an id is at most %d", s, int64(math.MaxInt64))
		}
		return 0, usagef("%s is negative, so no id: Baidu's cached generator makes such numbers when "+
			"the layout's time is over", s)
	}
	return 0, usagef("%q is not an id: type its decimal digits, or a form that `uidbench decode "+
		"--forms 1` shows", s)
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
type allForms struct {
	Text       string `json:"text"`
	UUID       string `json:"uuid"`
	Hidden     string `json:"hidden,omitempty"`
	HiddenUUID string `json:"hidden_uuid,omitempty"`
	Base2      string `json:"bwmarrin_base2"`
	Base32     string `json:"bwmarrin_base32"`
	Base36     string `json:"bwmarrin_base36"`
	Base58     string `json:"bwmarrin_base58"`
	Base64     string `json:"bwmarrin_base64"`
}

func (r formReader) all(id uid.ID, prefix string) (*allForms, error) {
	f := &allForms{
		Base2: bwmarrin.Base2(id), Base32: bwmarrin.Base32(id), Base36: bwmarrin.Base36(id),
		Base58: bwmarrin.Base58(id), Base64: bwmarrin.Base64(id),
	}
	var err error
	if f.Text, f.UUID, err = textAndUUID(opaque.ID{Number: id}, prefix); err != nil || r.keys == nil {
		return f, err
	}
	shown, err := r.keys.Hide(id)
	if err != nil {
		return nil, err
	}
	f.Hidden, f.HiddenUUID, err = textAndUUID(shown, prefix)
	return f, err
}

func textAndUUID(id opaque.ID, prefix string) (text, u string, err error) {
	made, err := id.UUID()
	return prefix + id.String(), made.String(), err
}

func (f *allForms) writeText(w io.Writer) {
	fmt.Fprintf(w, "text\t%s\nuuid\t%s\n", f.Text, f.UUID)
	if f.Hidden != "" {
		fmt.Fprintf(w, "hidden\t%s\nhidden_uuid\t%s\n", f.Hidden, f.HiddenUUID)
	}
	for i, text := range []string{f.Base2, f.Base32, f.Base36, f.Base58, f.Base64} {
		fmt.Fprintf(w, "%s\t%s\n", bwmarrinForms[i].name, text)
	}
}
