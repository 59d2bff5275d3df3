package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8/cwriter"
)

// leastWidth is the narrowest terminal that lines are fitted to. What is read by a
// machine is not: it goes to a file or a pipe.
const leastWidth = 30

// widthOf is how many characters a line of a terminal has, 0 of anything else. COLUMNS
// goes first, as in other programs.
func widthOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, leastWidth)
	}
	if n, _, err := cwriter.GetSize(int(f.Fd())); err == nil && n > 0 {
		return max(n, leastWidth)
	}
	return 80
}

// A folder fits text into the lines of a terminal, so that no word is broken. Sentences go
// on in the next line; so does the text behind a label, below its beginning; a table
// shows as many columns as fit, and below them the others, beside the first one again.
type folder struct {
	w     io.Writer
	width int

	line  []byte   // begun
	table []string // lines that may be a table's, until it has come to its end
}

// newFolder returns w itself, where there is nothing to fit.
func newFolder(w io.Writer) io.Writer {
	if width := widthOf(w); width > 0 {
		return &folder{w: w, width: width}
	}
	return w
}

// leave leaves all that comes as it is: JSON, say, or code.
func leave(w io.Writer) {
	if f, ok := w.(*folder); ok {
		f.width = math.MaxInt
	}
}

// flush writes what a folder has kept.
func flush(w io.Writer) error {
	if f, ok := w.(*folder); ok {
		return f.flush()
	}
	return nil
}

func (f *folder) Write(p []byte) (int, error) {
	f.line = append(f.line, p...)
	for {
		end := bytes.IndexByte(f.line, '\n')
		if end < 0 {
			return len(p), nil
		}
		line := string(f.line[:end])
		f.line = f.line[end+1:]
		if err := f.add(line); err != nil {
			return 0, err
		}
	}
}

// add takes a line. One with a gap in it may be of a table.
func (f *folder) add(line string) error {
	if strings.Contains(strings.TrimLeft(line, " "), "  ") {
		f.table = append(f.table, line)
		return nil
	}
	if strings.HasPrefix(line, "   ") && len(f.table) > 0 { // the second line of a text behind a label
		f.table = append(f.table, line)
		return nil
	}
	if err := f.end(); err != nil {
		return err
	}
	return f.put(foldText(line, f.width))
}

// end writes the table.
func (f *folder) end() error {
	lines := f.table
	f.table = nil
	if len(lines) == 0 {
		return nil
	}
	return f.put(foldTable(lines, f.width))
}

func (f *folder) flush() error {
	rest := string(f.line)
	f.line = nil
	if err := f.end(); err != nil || rest == "" {
		return err
	}
	_, err := io.WriteString(f.w, rest)
	return err
}

func (f *folder) put(lines []string) error {
	_, err := io.WriteString(f.w, strings.Join(lines, "\n")+"\n")
	return err
}

func length(s string) int { return utf8.RuneCountInString(s) }

// foldText fits a line of text. What is a command stays one.
func foldText(line string, width int) []string {
	if length(line) <= width {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if indent > 0 && strings.HasPrefix(line[indent:], "uidbench ") {
		return hang(line, indent+4, width-2, " \\")
	}
	return hang(line, indent, width, "")
}

// hang breaks a line at blanks. All but the first begin with an indent, all but the last
// end with a mark.
func hang(line string, indent, width int, mark string) (lines []string) {
	for length(line) > width {
		runes := []rune(line)
		cut := -1
		for i := min(width, len(runes)-1); i > indent; i-- {
			if runes[i] == ' ' && (mark == "" || !together(string(runes[:i]))) {
				cut = i
				break
			}
		}
		if cut < 0 || strings.TrimSpace(string(runes[:cut])) == "" { // a long word: the whole of it
			for i := width; i < len(runes); i++ {
				if runes[i] == ' ' && (mark == "" || !together(string(runes[:i]))) {
					cut = i
					break
				}
			}
			if cut < 0 || cut < width {
				break
			}
		}
		lines = append(lines, strings.TrimRight(string(runes[:cut]), " ")+mark)
		line = strings.Repeat(" ", indent) + strings.TrimLeft(string(runes[cut:]), " ")
	}
	return append(lines, line)
}

// together reports whether a command is not broken behind this: within single quotes of a
// shell, or between a flag and its value.
func together(before string) bool {
	last := before[strings.LastIndexByte(before, ' ')+1:]
	return strings.Count(before, "'")%2 == 1 || strings.HasPrefix(last, "-") || last == ">"
}

// refill fills paragraphs anew. What is indented is a list, whose items get a line each: a
// folder fits them.
func refill(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains("\n"+p, "\n ") {
			paragraphs[i] = strings.Join(hang(strings.ReplaceAll(p, "\n", " "), 0, width, ""), "\n")
		} else {
			paragraphs[i] = goesOn.ReplaceAllString(p, " ")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// goesOn is between two lines of a list's item.
var goesOn = regexp.MustCompile(`\n {5,}`)
