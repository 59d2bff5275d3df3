package sqlstore

import (
	"context"
	"regexp"
	"slices"
	"strconv"
)

// mysqlVersion is the release of a MySQL or MariaDB server.
type mysqlVersion struct {
	text    string
	mariaDB bool
	numbers []int
}

func versionOf(ctx context.Context, h handle) (v mysqlVersion, err error) {
	err = h.QueryRowContext(ctx, `SELECT VERSION()`).Scan(&v.text)
	return parseMySQLVersion(v.text), err
}

// versionText is "8.4.3", "5.6.24-log", or of MariaDB "10.11.6-MariaDB-0+deb12u1";
// a proxy may put 5.5.5- before that.
var versionText = regexp.MustCompile(`^(?:5\.5\.5-)?(\d+)\.(\d+)\.(\d+)(.*MariaDB)?`)

func parseMySQLVersion(text string) mysqlVersion {
	v := mysqlVersion{text: text}
	if m := versionText.FindStringSubmatch(text); m != nil {
		for _, digits := range m[1:4] {
			n, _ := strconv.Atoi(digits)
			v.numbers = append(v.numbers, n)
		}
		v.mariaDB = m[4] != ""
	}
	return v
}

// before says whether the version is older than another one. One that cannot be
// read is.
func (v mysqlVersion) before(numbers ...int) bool { return slices.Compare(v.numbers, numbers) < 0 }

// forgets: a restart sets the counter of a table back to its highest row.
func (v mysqlVersion) forgets() bool {
	if v.mariaDB {
		return v.before(10, 2, 4)
	}
	return v.before(8)
}
