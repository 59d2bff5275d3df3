// Image puts one static program for each processor into an image without a base, as an OCI
// layout: a folder that skopeo, crane and podman copy to a registry.
//
//	image LAYOUT PROGRAM-linux-amd64 PROGRAM-linux-arm64
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("image: ")
	if len(os.Args) < 3 {
		log.Fatal("usage: image LAYOUT PROGRAM-linux-ARCHITECTURE...")
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

// write makes the layout in a folder that is new or empty.
func write(folder string, programs []string) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, program := range programs {
		parts := strings.Split(filepath.Base(program), "-")
		if len(parts) != 3 {
			return fmt.Errorf("%s: want a name such as ringuid-linux-amd64", program)
		}
		platform := v1.Platform{OS: parts[1], Architecture: parts[2]}
		image, err := imageOf(program, parts[0], platform)
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &platform},
		})
	}
	_, err := layout.Write(folder, index)
	return err
}

// imageOf returns an image that has the program as /name and nothing else. It runs as nobody.
func imageOf(program, name string, p v1.Platform) (v1.Image, error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	header := w.WriteHeader(&tar.Header{Name: name, Mode: 0o555, Size: int64(len(content))})
	_, body := w.Write(content)
	if err := errors.Join(header, body, w.Close()); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(archive.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base, err := mutate.ConfigFile(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
		&v1.ConfigFile{OS: p.OS, Architecture: p.Architecture, RootFS: v1.RootFS{Type: "layers"},
			Config: v1.Config{Entrypoint: []string{"/" + name}, User: "65534:65534"}})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(mutate.ConfigMediaType(base, types.OCIConfigJSON), layer)
}
