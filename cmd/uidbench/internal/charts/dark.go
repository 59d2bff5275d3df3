package charts

import (
	"fmt"
	"strings"
)

// role is a colour of a picture: its name, as 0xRRGGBB on paper, and on a dark screen.
type role struct {
	name        string
	light, dark uint32
}

// roles are all that pictures are made of.
var roles = append([]role{
	{"paper", paper, 0x1c2026},
	{"ink", ink, 0xd8dce2},
	{"faint", faint, 0x3a4048},
	{"blue", blue, 0x6cb0ff},
	{"tint", tint, 0x24405f},
	{"grey", grey, 0x9aa2ad},
	{"orange", orange, 0xf0a040},
}, heatRoles()...)

func heatRoles() (all []role) {
	for i := range heats {
		all = append(all, role{fmt.Sprintf("heat%d", i), heats[i], darkHeats[i]})
	}
	return all
}

func hex(colour uint32) string { return fmt.Sprintf("#%06X", colour) }

// styles of a picture begin and end with these.
const styleBegin, styleEnd = "<style>", "</style>\n"

// withDark gives a picture other colours where the reader wants it dark. Programs that
// know nothing of that take the first colour of two.
func withDark(svg string) string {
	var light, dark, pairs []string
	for _, r := range roles {
		light = append(light, fmt.Sprintf("--%s:%s", r.name, hex(r.light)))
		dark = append(dark, fmt.Sprintf("--%s:%s", r.name, hex(r.dark)))
		for _, what := range []string{"fill:", "stroke:"} {
			pairs = append(pairs, what+hex(r.light), fmt.Sprintf("%[1]s%[2]s;%[1]svar(--%[3]s)", what, hex(r.light), r.name))
		}
	}
	style := fmt.Sprintf("%ssvg{%s}\n@media(prefers-color-scheme:dark){svg{%s}}%s",
		styleBegin, strings.Join(light, ";"), strings.Join(dark, ";"), styleEnd)
	head, body, _ := strings.Cut(strings.NewReplacer(pairs...).Replace(svg), "<g ")
	return head + style + "<g " + body
}

// onPage leaves the colours of a picture to the style of the page that it is in.
func onPage(svg string) string {
	if from, to := strings.Index(svg, styleBegin), strings.Index(svg, styleEnd); from >= 0 && to > from {
		svg = svg[:from] + svg[to+len(styleEnd):]
	}
	var pairs []string
	for _, r := range roles {
		pairs = append(pairs, "fill:"+hex(r.light)+";", "", "stroke:"+hex(r.light)+";", "")
	}
	return strings.NewReplacer(pairs...).Replace(svg)
}
