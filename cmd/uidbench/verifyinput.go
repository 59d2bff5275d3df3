package main

import (
	"io"
	"os"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
)

// verifyInputs opens nothing yet, but finds what cannot be read before hours go by.
func verifyInputs(names []string, stdin io.Reader) (inputs []idlog.Input, err error) {
	var infos []os.FileInfo
	for _, name := range names {
		in, info, err := verifyInput(name, stdin)
		if err != nil {
			return nil, err
		}
		for i, other := range infos {
			if os.SameFile(info, other) && info.Mode().IsRegular() || name == "-" && names[i] == name {
				return nil, usagef("%s and %s are one file, in which each id would come twice: type it once",
					inputs[i].Name, in.Name)
			}
		}
		inputs, infos = append(inputs, in), append(infos, info)
	}
	return inputs, nil
}

func verifyInput(name string, stdin io.Reader) (in idlog.Input, info os.FileInfo, err error) {
	in = idlog.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
	if name == "-" {
		in = idlog.Input{Name: "stdin", Once: true,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil }}
		file, ok := stdin.(*os.File)
		if !ok {
			return in, nil, nil
		}
		info, err = file.Stat()
	} else {
		info, err = os.Stat(name)
	}
	switch {
	case err != nil:
		return in, info, err
	case info.IsDir():
		return in, info, usagef("%s is a folder: type its files, such as %s/*", name, name)
	case info.Mode().IsRegular():
		in.Size = info.Size()
	default:
		in.Once = true
	}
	return in, info, nil
}
