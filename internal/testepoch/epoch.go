// Package testepoch lets tests outlive uid.DefaultLayout, whose time ends in 2034. Tests
// and examples use that layout with the clock as it is, as users do; so does what
// README shows. From two years before its end on, their TestMain gives it another
// epoch:
//
//	uid.DefaultLayout.Epoch = testepoch.Epoch(uid.DefaultLayout.Epoch, uid.DefaultLayout.End())
//
// What a generator does when its layout is over is tested with Config.Now.
package testepoch

import "time"

// Epoch returns the epoch of tests that are run now: the given one, unless less than two
// years are left until end. It moves by whole four years, so that all processes of a
// test have the same, and is a year ago at least, so that what is over within a day is.
func Epoch(epoch, end time.Time) time.Time { return at(time.Now(), epoch, end) }

func at(now, epoch, end time.Time) time.Time {
	const step = 4
	if now.AddDate(2, 0, 0).Before(end) {
		return epoch
	}
	return epoch.AddDate((now.Year()-1-epoch.Year())/step*step, 0, 0)
}
