package preset

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// BaiduJSON returns an id and its parts as parseUID of Baidu's UidGenerator does:
//
//	{"UID":"3200169789968523265","timestamp":"2019-05-02 23:26:39","workerId":"21","sequence":"1"}
//
// Every value is a string. The timestamp is in loc, where Baidu's has the zone
// of the process; nil means UTC.
func BaiduJSON(id uid.ID, p uid.Parts, loc *time.Location) string {
	if loc == nil {
		loc = time.UTC
	}
	return fmt.Sprintf(`{"UID":"%d","timestamp":"%s","workerId":"%d","sequence":"%d"}`,
		int64(id), p.Time.In(loc).Format(time.DateTime), p.Worker, p.Seq)
}
