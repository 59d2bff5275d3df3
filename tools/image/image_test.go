package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func TestImageForEachProcessor(t *testing.T) {
	folder := t.TempDir()
	var programs []string
	for _, name := range []string{"prog-linux-amd64", "prog-linux-arm64"} {
		programs = append(programs, filepath.Join(folder, name))
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(filepath.Join(folder, "layout"), programs); err != nil {
		t.Fatal(err)
	}
	index, err := layout.ImageIndexFromPath(filepath.Join(folder, "layout"))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"amd64", "arm64"}[i]
		if config.Architecture != want || m.Platform.Architecture != want ||
			config.Config.Entrypoint[0] != "/prog" {
			t.Errorf("image %d: %+v for %v", i, config.Config, m.Platform)
		}
	}
	if err := write(folder, []string{filepath.Join(folder, "prog")}); err == nil {
		t.Error("a program without a platform in its name was taken")
	}
}
