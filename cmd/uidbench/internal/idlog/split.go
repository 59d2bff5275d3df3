package idlog

import "bytes"

// A splitter cuts a line into fields, which may be in double quotes.
type splitter struct {
	separator []byte
	blanks    bool // any number of them, in the place of the separator
}

// newSplitter takes one blank for any number of blanks, and for no separator at all
// what the line has: commas or else tabs or else blanks.
func newSplitter(separator string, line []byte) splitter {
	if separator == "" {
		for _, separator = range []string{",", "\t", " "} {
			if bytes.Contains(line, []byte(separator)) {
				break
			}
		}
	}
	return splitter{[]byte(separator), separator == " "}
}

// cut finds the field that begins at from, where the next one begins, and whether
// there is a next one. Blanks around a field are not part of it.
func (s splitter) cut(line []byte, from int) (begin, end, next int, more bool) {
	begin = from
	for begin < len(line) && isBlank(line[begin]) && (s.blanks || !s.separates(line[begin:])) {
		begin++
	}
	if begin < len(line) && line[begin] == '"' {
		begin++
		end = begin + closingQuote(line[begin:])
		next, more = s.after(line, min(end+1, len(line)))
		return begin, end, next, more
	}
	end = begin
	for end < len(line) && !s.separates(line[end:]) {
		end++
	}
	next, more = s.after(line, end)
	for end > begin && isBlank(line[end-1]) {
		end--
	}
	return begin, end, next, more
}

// after returns where the field begins that follows one which ends at end.
func (s splitter) after(line []byte, end int) (next int, more bool) {
	if !s.blanks {
		for end < len(line) && !s.separates(line[end:]) { // what is between a quote and a separator
			end++
		}
		return min(end+len(s.separator), len(line)), end < len(line)
	}
	for end < len(line) && isBlank(line[end]) {
		end++
	}
	return end, end < len(line)
}

// separates reports whether a separator comes next.
func (s splitter) separates(rest []byte) bool {
	if s.blanks {
		return isBlank(rest[0])
	}
	return rest[0] == s.separator[0] && bytes.HasPrefix(rest, s.separator)
}

// find returns the number of the field with this text, from 1 on, or 0.
func (s splitter) find(line []byte, text string) int {
	for column, next, more := 1, 0, true; more; column++ {
		var begin, end int
		begin, end, next, more = s.cut(line, next)
		if string(line[begin:end]) == text {
			return column
		}
	}
	return 0
}

// closingQuote returns where a quoted text ends. Two quotes are one in the text.
func closingQuote(text []byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			i++
			continue
		}
		return i
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
