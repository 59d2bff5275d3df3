package sqlstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// MySQL before 8.0 goes on from the highest row that is left; MariaDB since 10.2.4 does not.
func TestVersionsThatForget(t *testing.T) {
	for text, forgets := range map[string]bool{
		"5.6.24":                             true,
		"5.7.44-log":                         true,
		"8.0.36":                             false,
		"8.4.3-commercial":                   false,
		"9.7.4":                              false,
		"8.0.11-TiDB-v7.5.0":                 false,
		"10.2.3-MariaDB":                     true,
		"10.2.4-MariaDB-log":                 false,
		"10.11.6-MariaDB-0+deb12u1":          false,
		"5.5.5-10.1.48-MariaDB":              true,
		"5.5.5-10.6.18-MariaDB-1:10.6.18+md": false,
		"11.8.9-MariaDB":                     false,
		"a proxy that says nothing":          true,
	} {
		assert.Equal(t, forgets, parseMySQLVersion(text).forgets(), text)
	}
}
