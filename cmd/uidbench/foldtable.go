package main

import "strings"

// column is where a column of a table begins and ends: [from, to), with the blanks in front
// of what is aligned to the right.
type column struct{ from, to int }

// columnsOf finds the columns of lines: between two of them each line has two blanks or
// more.
func columnsOf(lines [][]rune) (all []column) {
	widest := 0
	for _, line := range lines {
		widest = max(widest, len(line))
	}
	blank := func(at int) bool {
		for _, line := range lines {
			if at < len(line) && line[at] != ' ' {
				return false
			}
		}
		return true
	}
	from, gap := 0, 0
	for at := range widest {
		if blank(at) {
			gap++
			continue
		}
		if gap >= 2 && at > gap {
			all = append(all, column{from, at - gap})
			from = at - gap
		}
		gap = 0
	}
	return append(all, column{from, widest})
}

// foldTable fits a table.
func foldTable(lines []string, width int) (folded []string) {
	var runes [][]rune
	fits := true
	for _, line := range lines {
		runes = append(runes, []rune(line))
		fits = fits && length(line) <= width
	}
	if fits {
		return lines
	}
	columns := columnsOf(runes)
	if len(columns) <= 2 || len(lines) == 1 {
		return foldLabels(lines, columns, width)
	}
	if last := columns[len(columns)-1]; isText(runes, last) && last.from+2 < width*2/3 {
		return foldLabels(lines, columns, width)
	}
	for first, rest := columns[0], columns[1:]; len(rest) > 0; {
		n, used := 0, first.to
		for n < len(rest) && (n == 0 || used+rest[n].to-rest[n].from <= width) {
			used += rest[n].to - rest[n].from
			n++
		}
		if len(folded) > 0 {
			folded = append(folded, "")
		}
		for _, line := range runes {
			text := cell(line, first)
			for _, c := range rest[:n] {
				text += cell(line, c)
			}
			indent := used - (rest[n-1].to - rest[n-1].from)
			folded = append(folded, hang(strings.TrimRight(text, " "), indent, width, "")...)
		}
		rest = rest[n:]
	}
	return folded
}

// isText reports whether a column has sentences in it: words with one blank in between.
func isText(lines [][]rune, c column) bool {
	blanks := 0
	for _, line := range lines[1:] {
		blanks = max(blanks, strings.Count(strings.TrimSpace(cell(line, c)), " "))
	}
	return blanks >= 4
}

// cell is what a line has in a column, as wide as that.
func cell(line []rune, c column) string {
	text := ""
	if c.from < len(line) {
		text = string(line[c.from:min(c.to, len(line))])
	}
	return text + strings.Repeat(" ", c.to-c.from-length(text))
}

// foldLabels fits each line, whose text goes on below the beginning of its last column.
func foldLabels(lines []string, columns []column, width int) (folded []string) {
	last := columns[len(columns)-1]
	for _, line := range lines {
		indent := last.from
		for indent < len(line) && line[indent] == ' ' {
			indent++
		}
		if indent > width*2/3 || len(columns) == 1 {
			indent = len(line) - len(strings.TrimLeft(line, " "))
		}
		folded = append(folded, hang(line, indent, width, "")...)
	}
	return folded
}
