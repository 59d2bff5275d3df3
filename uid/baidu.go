package uid

import "time"

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
