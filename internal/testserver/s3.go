package testserver

import (
	"os"
	"path/filepath"
)

// S3Bucket is the bucket of an S3 server, and S3Key and S3Secret are the credentials of its owner.
const S3Bucket, S3Key, S3Secret = "ids", "of-the-owner", "open-sesame"

// S3 starts a gateway that keeps objects in a folder, with their ETags in attributes of the files:
// an ETag that is kept apart (--sidecar) may be shown with the value before. It acknowledges before
// they are on the disk.
var S3 = starter(kind{
	name:    "versitygw",
	install: "make versitygw builds it",
	find:    built("versitygw"),
	prepare: func(s *Server) error {
		return os.MkdirAll(filepath.Join(s.dataDir(), S3Bucket), 0o700)
	},
	args: func(s *Server) []string {
		return []string{"--port", s.Addr(), "--access", S3Key, "--secret", S3Secret, "--quiet",
			"--keep-alive", "posix", s.dataDir()}
	},
	ready:  get("/", "403 "), // it knows who may ask
	signal: os.Kill,          // else it waits ten seconds for clients that keep a connection
	dsn:    "http://%s",
	url:    "s3://" + S3Bucket + "/ringuid?region=us-east-1&endpoint=http://%s",
})

// Beside has a gateway of the same kind keep its objects in the folder of another.
func Beside(other *Server) Option { return func(s *Server) { s.dir = other.dir } }
