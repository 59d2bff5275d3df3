// Package epoch has the time at which uid.DefaultLayout begins, which no code outside of this
// module can change. That layout's time ends in 2034. Tests and examples use it with the real
// clock, as users do, so from two years before its end on, their TestMain moves the epoch:
//
//	epoch.Move()
//
// What a generator does when its layout is over is tested with Config.Now.
package epoch

import "time"

// Published is the epoch that users have.
var Published = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Default is the epoch of uid.DefaultLayout: Published, except in tests.
var Default = Published

// Move moves Default for tests that run now. Only a TestMain may call it.
func Move() { Default = at(time.Now()) }

// at returns Published, unless less than two years are left of it at now. The epoch moves by
// multiples of four years, so that all processes of a test have the same one. It is at least a
// year ago, so that a layout that lasts a day or less is over.
func at(now time.Time) time.Time {
	const life, step = 1 << 28 * time.Second, 4
	if now.AddDate(2, 0, 0).Before(Published.Add(life)) {
		return Published
	}
	return Published.AddDate((now.Year()-1-Published.Year())/step*step, 0, 0)
}
