package making

import "github.com/ringuid/ringuid/worker/store"

// Claim is the record of a layout with one more change counted. Make writes it in place of
// the record that it was called with. If it creates its rows one after the other, it does
// so before the first, and creates them only as long as the record is that: so any other
// Init that has found the same rows missing begins again, before or after.
func Claim(space string) (string, error) {
	s, err := store.ParseSpace(space)
	s.Changes++
	return s.Text(), err
}
