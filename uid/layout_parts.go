package uid

import "time"

// Parts is an id taken apart by its layout. Compose reads Tick and the fields
// after it, Parse fills them all.
type Parts struct {
	Time   time.Time // first instant of the tick, in UTC
	Tick   int64     // ticks between the layout's epoch and the id, from 0
	Worker int64     // the whole worker field, from 0
	Turn   int64     // 0, or 1 after the clock was set back (in layouts with a turn bit)
	Seq    int64     // the id's number within its tick and worker, from 0
}
