package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionsThatForget(t *testing.T) {
	for version, want := range map[string]bool{
		"3.3.27": true, "3.4.20": true, "3.4.21": false, "3.4.23": false, "3.4.100": false,
		"3.5.0": true, "3.5.4": true, "3.5.5": false, "3.6.0": false, "3.6.0-rc.1": false, "4.0.0": false,
		"HEAD": false,
	} {
		assert.Equal(t, want, forgets(version), version)
	}
}
