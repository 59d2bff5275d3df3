// Package s3store keeps recycled worker ids in a bucket of S3, or of another object storage that
// has its API and compares: MinIO, Cloudflare R2, versitygw.
//
// The caller makes the client, with the bucket's region and the credentials. There are 16 objects,
// KEY/00 to KEY/15; package docstore describes them. A process with a worker id reads and writes
// one of them twice a minute, and reads all as it starts.
//
// All processes whose ids meet use one bucket and one key. A bucket in each region, or buckets that
// are replicated to each other, are several places, which give out the same worker ids.
//
// A process needs s3:GetObject and s3:PutObject on the objects, and s3:ListBucket on the bucket, or
// else a missing object looks like a forbidden one. It needs no s3:DeleteObject. Let the client
// talk to the store itself, without a cache, and without a proxy that repeats a PUT or compresses.
//
// # What it is worth
//
// The class is Fenced, as far as the store keeps what it acknowledged. Before an old version of an
// object is restored, or a replica takes over, stop the processes, and run `ringuid worker
// quarantine` before they start: docs/stores.md says more.
package s3store
