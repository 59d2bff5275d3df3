package uid

import (
	"fmt"
	"time"
)

// Parts is an id taken apart by its layout. Compose reads Tick and the fields
// after it, Parse fills them all.
type Parts struct {
	Time   time.Time // first instant of the tick, in UTC
	Tick   int64     // ticks between the layout's epoch and the id, from 0
	Worker int64     // the whole worker field, from 0
	Turn   int64     // 0, or 1 after the clock was set back (in layouts with a turn bit)
	Seq    int64     // the id's number within its tick and worker, from 0
}

// BaiduJSON returns the parts of id as parseUID of Baidu's UidGenerator does:
//
//	{"UID":"3200169789968523265","timestamp":"2019-05-02 23:26:39","workerId":"21","sequence":"1"}
//
// Every value is a string. The timestamp is in loc, where Baidu's has the zone
// of the process; nil means UTC.
func (p Parts) BaiduJSON(id ID, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	return fmt.Sprintf(`{"UID":"%d","timestamp":"%s","workerId":"%d","sequence":"%d"}`,
		int64(id), p.Time.In(loc).Format(time.DateTime), p.Worker, p.Seq)
}
