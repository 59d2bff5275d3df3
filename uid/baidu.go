package uid

import (
	"fmt"
	"time"
)

// BaiduLayout is the default of Baidu's UidGenerator, for reading its ids: the bits of
// DefaultLayout, counted from 2016-05-20 at +08:00. Its time ended at
// 2024-11-20T13:24:16Z, and constructors refuse it. Do not modify it.
var BaiduLayout = Layout{
	Epoch:      time.Unix(1463673600, 0).UTC(),
	Unit:       time.Second,
	TimeBits:   28,
	WorkerBits: 22,
	SeqBits:    13,
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
