package uid

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecodeID gives any text to every decoder of ids. All of them agree, take
// nothing negative, and what they take is written back as the same number.
func FuzzDecodeID(f *testing.F) {
	for _, s := range []string{"", "0", "9223372036854775807", "9223372036854775808", "-1", "+1",
		"007", "null", `"5"`, `"`, "7ZZZZZZZZZZZZ", "8zzzzzzzzzzzz", "oil1OIL100000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, wantErr := ParseID(s)
		if wantErr != nil {
			require.ErrorIs(t, wantErr, ErrSyntax)
		} else {
			require.GreaterOrEqual(t, want, ID(0))
			require.Equal(t, want.String(), trimZeros(s))
		}
		var text, scanned, padded, quoted, bare ID
		for name, decode := range map[string]struct {
			id  *ID
			err error
		}{
			"text":        {&text, text.UnmarshalText([]byte(s))},
			"JSON":        {&quoted, quoted.UnmarshalJSON([]byte(`"` + s + `"`))},
			"Scan":        {&scanned, scanned.Scan(`"` + s + `"`)},
			"Scan padded": {&padded, padded.Scan([]byte(`"` + s + `"  `))},
		} {
			require.Equal(t, wantErr, decode.err, name)
			require.Equal(t, want, *decode.id, name)
		}
		if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
			require.Equal(t, wantErr, bare.UnmarshalJSON([]byte(s)))
			require.Equal(t, want, bare)
			if !strings.HasSuffix(s, " ") {
				require.Equal(t, wantErr, scanned.Scan(s))
				require.Equal(t, want, scanned)
			}
		}
		if json.Unmarshal([]byte(s), &bare) == nil {
			data, err := json.Marshal(bare)
			require.NoError(t, err)
			require.Equal(t, `"`+bare.String()+`"`, string(data))
		}
	})
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
