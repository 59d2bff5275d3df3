package idlog

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longest line, in bytes, of a text that is not CSV.
const longest = 1 << 20

// rowsOf returns a function that reads the next row of a text that is not empty, and the
// number of its line. It is CSV if the first line has a comma, a semicolon or a tab;
// otherwise blanks separate its columns.
func rowsOf(text *bufio.Reader) (next func() ([]string, int64, error), err error) {
	first, err := text.ReadString('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	all := io.MultiReader(strings.NewReader(first), text)
	for _, comma := range ",;\t" {
		if strings.ContainsRune(first, comma) {
			return csvRows(all, comma), nil
		}
	}
	return blankRows(all), nil
}

func csvRows(text io.Reader, comma rune) func() ([]string, int64, error) {
	rows := csv.NewReader(text)
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = comma, -1, true
	rows.TrimLeadingSpace = comma != '\t' // which is a space itself
	return func() ([]string, int64, error) {
		row, err := rows.Read()
		if wrong := new(csv.ParseError); errors.As(err, &wrong) {
			return nil, 0, fmt.Errorf("%w: %w", ErrLine, err)
		}
		if err != nil {
			return nil, 0, err
		}
		line, _ := rows.FieldPos(0)
		return row, int64(line), nil
	}
}

func blankRows(text io.Reader) func() ([]string, int64, error) {
	lines, n := bufio.NewReaderSize(text, longest), int64(0)
	return func() ([]string, int64, error) {
		for {
			line, err := lines.ReadSlice('\n')
			n++
			switch row := strings.Fields(string(line)); {
			case errors.Is(err, bufio.ErrBufferFull):
				return nil, 0, fmt.Errorf("%w %d: longer than %d bytes", ErrLine, n, longest)
			case err != nil && err != io.EOF:
				return nil, 0, err // what there is of the line may be half an id
			case len(row) > 0:
				return row, n, nil
			case err != nil:
				return nil, 0, err
			}
		}
	}
}
