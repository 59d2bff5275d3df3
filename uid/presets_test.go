package uid_test

import (
	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

var _ = uid.UsePresets(preset.Named, preset.Names)
