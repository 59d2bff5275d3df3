package preset

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

func TestBaiduJSONIsWhatBaidusParseUIDReturns(t *testing.T) {
	const id = uid.ID(3200169789968523265)
	parts, err := uid.BaiduLayout().Parse(id)
	require.NoError(t, err)

	beijing := time.FixedZone("CST", 8*60*60)
	assert.Equal(t,
		`{"UID":"3200169789968523265","timestamp":"2019-05-02 23:26:39","workerId":"21","sequence":"1"}`,
		BaiduJSON(id, parts, beijing))
	assert.Equal(t,
		`{"UID":"3200169789968523265","timestamp":"2019-05-02 15:26:39","workerId":"21","sequence":"1"}`,
		BaiduJSON(id, parts, nil))
}
